import { z } from 'zod';
import { BehaviourBook } from '../behaviour-book';
import { digitsOf } from '../digits';

const error = z.strictObject({
  status: z.number().int().min(200).max(599),
  /** 1 is the platform's word for "something went wrong". */
  code: z.number().int().min(0).default(1),
  message: z.string().default('An unknown error occurred'),
});

/** How the platform treats a Graph call. */
export const behaviourSchema = z.strictObject({
  /** Refuses the call with this, whatever it is. */
  error: error.optional(),
  /** Cuts the connection and does nothing. */
  unreachable: z.boolean().default(false),
  /** Passes before anything else happens. */
  delayMs: z.number().int().min(0).max(3_600_000).default(0),
  /** Does its work and cuts the connection where the answer belongs. */
  answerLost: z.boolean().default(false),
  /** Statuses of a message whose webhooks are answered before the send is. */
  statusFirst: z.array(z.string().min(1)).max(10).default([]),
  /** Refuses uploads of the types and sizes that the vendor lists as unsupported, not just those past 100 MB. */
  strictMedia: z.boolean().default(false),
});

export type PlatformBehaviour = z.output<typeof behaviourSchema>;
export type PlatformBehaviourInput = z.input<typeof behaviourSchema>;

/** One behaviour for every call, and exceptions for messages to a recipient. */
export class PlatformBehaviours extends BehaviourBook<typeof behaviourSchema> {
  constructor() {
    super(behaviourSchema, digitsOf);
  }
}
