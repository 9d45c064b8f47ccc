import { z } from 'zod';
import { addressKey } from './address-key';

const reply = z.strictObject({
  code: z
    .number()
    .int()
    .refine((code) => (code >= 200 && code < 300) || (code >= 400 && code < 600), 'must be 2xx, 4xx or 5xx'),
  /** Enhanced status included, such as `5.1.1 no such user`. */
  text: z
    .string()
    .max(500)
    .regex(/^[\x20-\x7e]*$/, 'must be one line of ASCII'),
});

/** How the mail server treats a recipient. */
export const behaviourSchema = z.strictObject({
  /** The command that the reply and the delay are for. */
  at: z.enum(['rcpt', 'data']).default('rcpt'),
  /** Left out, the usual acceptance. */
  reply: reply.optional(),
  delayMs: z.number().int().min(0).max(3_600_000).default(0),
  /** Keeps the mail and cuts the connection where the answer to DATA belongs. */
  cutAfterData: z.boolean().default(false),
});

export type MailboxBehaviour = z.output<typeof behaviourSchema>;
export type MailboxBehaviourInput = z.input<typeof behaviourSchema>;

/** One behaviour for everybody, and exceptions by recipient. */
export class MailboxBehaviours {
  private general = behaviourSchema.parse({});
  private readonly byRecipient = new Map<string, MailboxBehaviour>();

  /** `to` is compared without case; left out, the behaviour is everybody's. */
  set(behaviour: MailboxBehaviourInput, to?: string): void {
    const complete = behaviourSchema.parse(behaviour);
    if (to === undefined) this.general = complete;
    else this.byRecipient.set(addressKey(to), complete);
  }

  /** Forgets one recipient's exception, or everything. */
  reset(to?: string): void {
    if (to !== undefined) {
      this.byRecipient.delete(addressKey(to));
      return;
    }
    this.byRecipient.clear();
    this.general = behaviourSchema.parse({});
  }

  of(to: string): MailboxBehaviour {
    return this.byRecipient.get(addressKey(to)) ?? this.general;
  }

  /** What DATA is answered with, for all recipients at once: an exception goes before the general behaviour. */
  atData(recipients: readonly string[]): MailboxBehaviour | null {
    const concerns = (behaviour: MailboxBehaviour): boolean => behaviour.at === 'data' || behaviour.cutAfterData;
    const exceptions = recipients.flatMap((to) => this.byRecipient.get(addressKey(to)) ?? []);
    const exception = exceptions.find(concerns);
    if (exception) return exception;
    const someGeneral = exceptions.length < recipients.length;
    return someGeneral && concerns(this.general) ? this.general : null;
  }
}
