import { z } from 'zod';
import { BehaviourStore } from '../behaviour-store';
import { addressKey } from './address-key';

const reply = z.strictObject({
  code: z
    .number()
    .int()
    .refine((code) => (code >= 200 && code < 300) || (code >= 400 && code < 600), 'must be 2xx, 4xx or 5xx'),
  /** With the enhanced status code, such as `5.1.1 no such user`. */
  text: z
    .string()
    .max(500)
    .regex(/^[\x20-\x7e]*$/, 'must be one line of ASCII'),
});

/** The behaviour of the mail server for a recipient. */
export const behaviourSchema = z.strictObject({
  /** The command to which the reply and the delay apply. */
  at: z.enum(['rcpt', 'data']).default('rcpt'),
  /** Default: accept. */
  reply: reply.optional(),
  delayMs: z.number().int().min(0).max(3_600_000).default(0),
  /** Stores the email and closes the connection instead of responding to DATA. */
  cutAfterData: z.boolean().default(false),
});

export type MailboxBehaviour = z.output<typeof behaviourSchema>;
export type MailboxBehaviourInput = z.input<typeof behaviourSchema>;

/** One general behaviour with exceptions by recipient. */
export class MailboxBehaviours extends BehaviourStore<typeof behaviourSchema> {
  constructor() {
    super(behaviourSchema, addressKey);
  }

  /** The behaviour at DATA for all recipients together: an exception takes precedence over the general behaviour. */
  atData(recipients: readonly string[]): MailboxBehaviour | null {
    const concerns = (behaviour: MailboxBehaviour): boolean => behaviour.at === 'data' || behaviour.cutAfterData;
    const exceptions = recipients.flatMap((to) => this.byRecipient.get(this.keyOf(to)) ?? []);
    const exception = exceptions.find(concerns);
    if (exception) return exception;
    const someGeneral = exceptions.length < recipients.length;
    return someGeneral && concerns(this.general) ? this.general : null;
  }
}
