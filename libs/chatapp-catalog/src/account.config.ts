import { z } from 'zod';

/** Which business account is the platform's own; the services that send and that receive agree on it. */
export const chatappAccountSettings = z.object({
  CHATAPP_PHONE_NUMBER_ID: z.string().optional(),
  CHATAPP_BUSINESS_ACCOUNT_ID: z.string().optional(),
  /** What the upstream calls its product: `messaging_product`, and the beginning of the envelope's `object`. */
  CHATAPP_PRODUCT: z
    .string()
    .regex(/^[a-z_]{1,40}$/, 'must be lower-case letters')
    .default('chatapp'),
});

export type ChatappAccountSettings = z.output<typeof chatappAccountSettings>;
