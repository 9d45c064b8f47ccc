import { z } from 'zod';

/** Identifies the shared business account; the sending and the receiving service use the same values. */
export const chatappAccountConfigSchema = z.object({
  CHATAPP_PHONE_NUMBER_ID: z.string().optional(),
  CHATAPP_BUSINESS_ACCOUNT_ID: z.string().optional(),
  /** The provider's name for its product: `messaging_product`, and the prefix of the envelope's `object`. */
  CHATAPP_PRODUCT: z
    .string()
    .regex(/^[a-z_]{1,40}$/, 'must be lowercase letters')
    .default('chatapp'),
});
