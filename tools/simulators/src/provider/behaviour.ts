import { z } from 'zod';
import { BehaviourStore } from '../behaviour-store';
import { digitsOf } from '../digits';

const error = z.strictObject({
  status: z.number().int().min(200).max(599),
  /** 1 is the provider's generic error. */
  code: z.number().int().min(0).default(1),
  message: z.string().default('An unknown error occurred'),
});

/** The behaviour of the provider for a Graph call. */
export const behaviourSchema = z.strictObject({
  /** Rejects every call with this error. */
  error: error.optional(),
  /** Closes the connection without any effect. */
  unreachable: z.boolean().default(false),
  /** Delays the call. */
  delayMs: z.number().int().min(0).max(3_600_000).default(0),
  /** Processes the call and closes the connection instead of responding. */
  answerLost: z.boolean().default(false),
  /** Statuses that are posted and acknowledged before the response to the send. */
  statusFirst: z.array(z.string().min(1)).max(10).default([]),
  /** Enforces the vendor's list of media types and sizes, not only the limit of 100 MB. */
  strictMedia: z.boolean().default(false),
});

export type ProviderBehaviour = z.output<typeof behaviourSchema>;
export type ProviderBehaviourInput = z.input<typeof behaviourSchema>;

/** One behaviour for all calls, with exceptions for messages to a recipient. */
export class ProviderBehaviours extends BehaviourStore<typeof behaviourSchema> {
  constructor() {
    super(behaviourSchema, digitsOf);
  }
}
