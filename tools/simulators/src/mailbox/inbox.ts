import { addressKey } from './address-key';

export interface MailEnvelope {
  /** Empty for the null sender. */
  from: string;
  to: string[];
}

/** A stored email, not parsed. */
export interface StoredMail {
  /** An increasing number from 1. */
  id: number;
  envelope: MailEnvelope;
  raw: Buffer;
  at: Date;
}

export interface InboxLimits {
  maxMails: number;
  maxBytes: number;
}

/** The newest emails, newest last. The oldest are dropped when a limit is exceeded. */
export class Inbox {
  private readonly mails = new Map<number, StoredMail>();
  private bytes = 0;
  private nextId = 1;

  constructor(private readonly limits: InboxLimits) {}

  /** The number of emails received, including dropped ones. */
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

  /** The emails to an address (ignoring case) or all emails. */
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
