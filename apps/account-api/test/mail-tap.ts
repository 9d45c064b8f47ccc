import { mailRequested, type EventOf } from '@heliograph/contracts';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import type { AccountFixture } from './account-fixture';

export type RequestedMail = EventOf<typeof mailRequested>;

/** The mail that a service asks for, as the mail service sees it on the bus. */
export class MailTap {
  private constructor(private readonly tap: EventTap) {}

  static async on({ service }: AccountFixture): Promise<MailTap> {
    return new MailTap(await tapEvents(service.amqpPrefix));
  }

  stop(): Promise<void> {
    return this.tap.close();
  }

  /** The mail so far to an address, the oldest first. */
  to(address: string): RequestedMail[] {
    const mails = this.tap.events.filter(({ type }) => type === mailRequested.type) as RequestedMail[];
    return mails.filter(({ data }) => data.to.includes(address));
  }

  /** The newest mail to an address, once there are so many. */
  newest(address: string, purpose: RequestedMail['data']['purpose'], count = 1): Promise<RequestedMail> {
    return until(`${address} has got mail ${count} (${purpose})`, () => {
      const mails = this.to(address).filter(({ data }) => data.purpose === purpose);
      return mails.length >= count && mails.at(-1);
    });
  }
}

/** The token at the end of the link in a mail. */
export function tokenIn({ data }: RequestedMail): string {
  const token = /\/([\w-]{43})$/m.exec(data.text)?.[1];
  if (token === undefined) throw new Error(`no link in: ${data.text}`);
  return token;
}
