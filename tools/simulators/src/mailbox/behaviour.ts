import { z } from 'zod';
import { BehaviourBook } from '../behaviour-book';
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
export class MailboxBehaviours extends BehaviourBook<typeof behaviourSchema> {
  constructor() {
    super(behaviourSchema, addressKey);
  }

  /** What DATA is answered with, for all recipients at once: an exception goes before the general behaviour. */
  atData(recipients: readonly string[]): MailboxBehaviour | null {
    const concerns = (behaviour: MailboxBehaviour): boolean => behaviour.at === 'data' || behaviour.cutAfterData;
    const exceptions = recipients.flatMap((to) => this.byRecipient.get(this.keyOf(to)) ?? []);
    const exception = exceptions.find(concerns);
    if (exception) return exception;
    const someGeneral = exceptions.length < recipients.length;
    return someGeneral && concerns(this.general) ? this.general : null;
  }
}
