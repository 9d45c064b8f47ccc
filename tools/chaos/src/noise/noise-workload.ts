import { randomUUID } from 'node:crypto';
import { benchKey } from '@heliograph/bench-data';
import { callUntilAnswered } from '../call';
import { Workload, type LoadSource } from '../workload';

const BULK_SMS = 50;
const BULK_EMAILS = 10;
/** The number of contacts of each import. */
export const IMPORT_ROWS = 200;
const REPEATED_SHARE = 0.2;
/** Pauses after each call, so that the noise does not make a run longer. */
const PAUSES_MS = { sms: 1_000, emails: 1_400, imports: 5_000, logins: 500 } as const;

export interface NoiseTarget {
  /** The number of the organization, which no other workload uses. */
  organization: number;
  urls: Readonly<Record<'sms' | 'email' | 'account', string>>;
}

interface BulkAnswer {
  messages: { id?: string }[];
}

/** An organization that sends bulks and imports contacts all the time, and clients that log in with wrong passwords. */
export class NoiseWorkload extends Workload implements LoadSource {
  /** The ids of all messages and imports that were acknowledged. */
  readonly sms: string[] = [];
  readonly emails: string[] = [];
  readonly imports: string[] = [];
  private readonly key: string;
  private number = 0;
  private readonly kinds = [
    () => this.sendSms(),
    () => this.sendEmails(),
    () => this.importContacts(),
    () => this.logIn(),
  ];

  constructor(private readonly target: NoiseTarget) {
    super();
    this.key = benchKey(target.organization);
  }

  override start(): this {
    return super.start(this.kinds.length);
  }

  summary(): string {
    return `${this.sms.length} bulk SMS, ${this.emails.length} bulk emails and ${this.imports.length} imports of a neighbour`;
  }

  protected async runOnce(lane: number): Promise<void> {
    await this.kinds[lane]?.();
  }

  private async sendSms(): Promise<void> {
    const first = this.number++ * BULK_SMS;
    const recipients = Array.from({ length: BULK_SMS }, (_, index) => ({
      to: `+9195${String(first + index).padStart(8, '0')}`,
      variables: { code: String(first + index) },
    }));
    const body = { sender_id: 'BENCHS', template_id: 'otp', recipients };
    this.sms.push(...(await this.sendBulk(`${this.target.urls.sms}/api/v1/sms/bulk`, body)));
    await this.pause(PAUSES_MS.sms);
  }

  private async sendEmails(): Promise<void> {
    const number = this.number++;
    const recipients = Array.from({ length: BULK_EMAILS }, (_, index) => ({
      to: `noise-${number}-${index}@readers.example`,
    }));
    // The subject identifies the email, together with its recipient, at the mail server.
    const body = { subject: `Bulk ${number}`, text: 'Content.', recipients };
    this.emails.push(...(await this.sendBulk(`${this.target.urls.email}/api/v1/email/bulk`, body)));
    await this.pause(PAUSES_MS.emails);
  }

  private async importContacts(): Promise<void> {
    const number = this.number++;
    const contacts = Array.from({ length: IMPORT_ROWS }, (_, index) => ({
      email: `imported-${number}-${index}@readers.example`,
    }));
    const url = `${this.target.urls.account}/api/v1/contacts/import`;
    const answer = await this.write<{ id: string }>(url, { contacts }, ({ id }) => id);
    if (answer) this.imports.push(answer.id);
    await this.pause(PAUSES_MS.imports);
  }

  private async logIn(): Promise<void> {
    await callUntilAnswered(
      {
        name: 'a login with a wrong password',
        url: `${this.target.urls.account}/api/auth/login`,
        body: { email: 'nobody@chaos.example', password: 'a wrong password' },
        mayRefuse: /AUTH_INVALID_CREDENTIALS|RATE_LIMITED/,
      },
      this,
    );
    await this.pause(PAUSES_MS.logins);
  }

  /** Resolves with the ids of the accepted messages. */
  private async sendBulk(url: string, body: object): Promise<string[]> {
    const idsOf = ({ messages }: BulkAnswer): string[] => messages.flatMap(({ id }) => id ?? []);
    const answer = await this.write<BulkAnswer>(url, body, idsOf);
    return answer ? idsOf(answer) : [];
  }

  private write<T>(url: string, body: object, compare: (answer: T) => unknown): Promise<T | null> {
    return this.callAndRepeat<T>(
      { name: `POST ${url} of the neighbour`, url, bearerToken: this.key, idempotencyKey: randomUUID(), body },
      { share: REPEATED_SHARE, compare },
    );
  }
}
