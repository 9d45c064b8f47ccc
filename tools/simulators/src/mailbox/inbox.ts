import { addressKey } from './address-key';

export interface MailEnvelope {
  /** Empty for the null sender. */
  from: string;
  to: string[];
}

/** A mail as it came, unread. */
export interface StoredMail {
  /** Counts up from 1. */
  id: number;
  envelope: MailEnvelope;
  raw: Buffer;
  at: Date;
}

export interface InboxLimits {
  maxMails: number;
  maxBytes: number;
}

/** The newest mails, newest last. Past a limit the oldest are forgotten. */
export class Inbox {
  private readonly mails = new Map<number, StoredMail>();
  private bytes = 0;
  private nextId = 1;

  constructor(private readonly limits: InboxLimits) {}

  /** How many mails there were, the forgotten ones too. */
  get received(): number {
    return this.nextId - 1;
  }

  add(envelope: MailEnvelope, raw: Buffer): void {
    const id = this.nextId++;
    this.mails.set(id, { id, envelope, raw, at: new Date() });
    this.bytes += raw.length;
    for (const [oldest, { raw: its }] of this.mails) {
      if (this.mails.size <= this.limits.maxMails && this.bytes <= this.limits.maxBytes) break;
      this.mails.delete(oldest);
      this.bytes -= its.length;
    }
  }

  get(id: number): StoredMail | undefined {
    return this.mails.get(id);
  }

  /** Those to one address, compared without case, or all. */
  list(to?: string): StoredMail[] {
    const all = [...this.mails.values()];
    if (to === undefined) return all;
    const key = addressKey(to);
    return all.filter(({ envelope }) => envelope.to.some((address) => addressKey(address) === key));
  }

  clear(): void {
    this.mails.clear();
    this.bytes = 0;
  }
}
