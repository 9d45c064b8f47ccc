import { z } from 'zod';
import { BehaviourBook } from '../behaviour-book';
import { digitsOf } from '../digits';
import { STATUS } from './wire';

/** How the carrier treats a submit. */
export const behaviourSchema = z.strictObject({
  submit: z.enum(['accept', 'reject', 'throttle', 'silent']).default('accept'),
  /** Command status of a rejection or throttling; the usual one when left out. */
  commandStatus: z.number().int().min(1).max(0xffffffff).optional(),
  receipt: z.enum(['delivered', 'undeliverable', 'expired', 'rejected', 'none']).default('delivered'),
  /** Counted from the response. */
  receiptDelayMs: z.number().int().min(0).max(86_400_000).default(50),
  /** The receipt overtakes the response (and comes even where the response never does). */
  receiptBeforeResponse: z.boolean().default(false),
  receiptTwice: z.boolean().default(false),
  /** The text form alone. */
  receiptWithoutTlvs: z.boolean().default(false),
  /** How the receipt writes the id that the response wrote in hexadecimal. */
  receiptIdNotation: z.enum(['same', 'decimal', 'padded']).default('same'),
});

export type CarrierBehaviour = z.output<typeof behaviourSchema>;
export type CarrierBehaviourInput = z.input<typeof behaviourSchema>;

/** One behaviour for everybody, and exceptions by recipient. */
export class CarrierBehaviours extends BehaviourBook<typeof behaviourSchema> {
  constructor() {
    super(behaviourSchema, digitsOf);
  }
}

/** The command status that a submit is answered with; null for no answer at all. */
export function submitStatus({ submit, commandStatus }: CarrierBehaviour): number | null {
  switch (submit) {
    case 'accept':
      return STATUS.ok;
    case 'reject':
      return commandStatus ?? STATUS.invalidDestination;
    case 'throttle':
      return commandStatus ?? STATUS.throttled;
    case 'silent':
      return null;
  }
}
