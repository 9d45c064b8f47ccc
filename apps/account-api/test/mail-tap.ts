import { mailRequested, type EventOf } from '@heliograph/contracts';
import { readMailContent, type MailContent } from '@heliograph/system-mail';
import { poolOf } from '@heliograph/database';
import type { Pool } from 'pg';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import type { AccountFixture } from './account-fixture';

type MailEvent = EventOf<typeof mailRequested>;

/** A request for an email with the content to which it refers. */
export interface RequestedMail extends MailEvent {
  content: MailContent;
}

/** Records the email requests of a service from the bus. */
export class MailTap {
  private constructor(
    private readonly tap: EventTap,
    private readonly pool: Pool,
  ) {}

  static async on({ service, factory }: AccountFixture): Promise<MailTap> {
    return new MailTap(await tapEvents(service.amqpPrefix), poolOf(factory.dataSource));
  }

  stop(): Promise<void> {
    return this.tap.close();
  }

  /** Returns the requested emails to an address, oldest first. */
  to(address: string): MailEvent[] {
    const mails = this.tap.events.filter(({ type }) => type === mailRequested.type) as MailEvent[];
    return mails.filter(({ data }) => data.to.includes(address));
  }

  /** Returns the newest email to an address when the given number of emails has been requested. */
  async newest(address: string, purpose: MailEvent['data']['purpose'], count = 1): Promise<RequestedMail> {
    const event = await until(`${address} has received email ${count} (${purpose})`, () => {
      const mails = this.to(address).filter(({ data }) => data.purpose === purpose);
      return mails.length >= count && mails.at(-1);
    });
    const content = await readMailContent(this.pool, event.data.contentId);
    if (content === null) throw new Error(`the email ${event.id} has no content`);
    return { ...event, content };
  }
}

/** Returns the token at the end of the link in an email. */
export function tokenIn({ content }: RequestedMail): string {
  const token = /(?:\/|[?&]token=)([\w-]{43})$/m.exec(content.text)?.[1];
  if (token === undefined) throw new Error(`no link in: ${content.text}`);
  return token;
}
