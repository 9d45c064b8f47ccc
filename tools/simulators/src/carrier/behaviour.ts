import { z } from 'zod';
import { BehaviourStore } from '../behaviour-store';
import { digitsOf } from '../digits';
import { STATUS } from './wire';

/** The behaviour of the carrier for a submit. */
export const behaviourSchema = z.strictObject({
  submit: z.enum(['accept', 'reject', 'throttle', 'silent']).default('accept'),
  /** The command status of a rejection or throttling. Default: the usual one. */
  commandStatus: z.number().int().min(1).max(0xffffffff).optional(),
  /** Throttles the submits of one second beyond this number. */
  maxPerSecond: z.number().int().min(1).max(100_000).optional(),
  receipt: z.enum(['delivered', 'undeliverable', 'expired', 'rejected', 'none']).default('delivered'),
  /** The delay after the response. */
  receiptDelayMs: z.number().int().min(0).max(86_400_000).default(50),
  /** Sends the receipt before the response, even if there is no response. */
  receiptBeforeResponse: z.boolean().default(false),
  receiptTwice: z.boolean().default(false),
  /** Sends only the text form. */
  receiptWithoutTlvs: z.boolean().default(false),
  /** Omits `stat:` in the text form. */
  receiptWithoutStat: z.boolean().default(false),
  /** The message type of the receipt is that of an ordinary message. */
  receiptWithoutMessageType: z.boolean().default(false),
  /** The alphabet of the text form: GSM and ASCII, Latin-1, or UCS-2 in `message_payload`. */
  receiptDataCoding: z.union([z.literal(0), z.literal(3), z.literal(8)]).default(0),
  /** The parts of a long message that have a receipt. */
  receiptParts: z.enum(['all', 'last']).default('all'),
  /** The done date as it is written; by default the time of the receipt in UTC. */
  receiptDoneDate: z.string().max(20).optional(),
  /** The notation of the id in the receipt; the response has it in hexadecimal. */
  receiptIdNotation: z.enum(['same', 'decimal', 'padded']).default('same'),
});

export type CarrierBehaviour = z.output<typeof behaviourSchema>;
export type CarrierBehaviourInput = z.input<typeof behaviourSchema>;

/** One general behaviour with exceptions by recipient. */
export class CarrierBehaviours extends BehaviourStore<typeof behaviourSchema> {
  constructor() {
    super(behaviourSchema, digitsOf);
  }
}

/** The command status of the response to a submit; null for no response. */
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
