import { mailRequested, type EventOf } from '@heliograph/contracts';
import { readMailContent, type MailContent } from '@heliograph/system-mail';
import { poolOf } from '@heliograph/database';
import type { Pool } from 'pg';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import type { AccountFixture } from './account-fixture';

type MailEvent = EventOf<typeof mailRequested>;

/** A request for a mail, with the content that it refers to. */
export interface RequestedMail extends MailEvent {
  content: MailContent;
}

/** The mail that a service asks for, as the mail service sees it on the bus. */
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

  /** The mail so far to an address, the oldest first. */
  to(address: string): MailEvent[] {
    const mails = this.tap.events.filter(({ type }) => type === mailRequested.type) as MailEvent[];
    return mails.filter(({ data }) => data.to.includes(address));
  }

  /** The newest mail to an address, once there are so many. */
  async newest(address: string, purpose: MailEvent['data']['purpose'], count = 1): Promise<RequestedMail> {
    const event = await until(`${address} has got mail ${count} (${purpose})`, () => {
      const mails = this.to(address).filter(({ data }) => data.purpose === purpose);
      return mails.length >= count && mails.at(-1);
    });
    const content = await readMailContent(this.pool, event.data.contentId);
    if (content === null) throw new Error(`the mail ${event.id} has no content`);
    return { ...event, content };
  }
}

/** The token at the end of the link in a mail. */
export function tokenIn({ content }: RequestedMail): string {
  const token = /\/([\w-]{43})$/m.exec(content.text)?.[1];
  if (token === undefined) throw new Error(`no link in: ${content.text}`);
  return token;
}
