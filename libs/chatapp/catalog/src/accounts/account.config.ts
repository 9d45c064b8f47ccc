import { z } from 'zod';

/** Identifies the shared business account; the sending and the receiving service use the same values. */
export const chatappAccountConfigSchema = z.object({
  CHATAPP_PHONE_NUMBER_ID: z.string().optional().meta({
    description:
      'Id of the phone number of the shared business account at the provider. Without it, inbound messages are not assigned, and there are no conversation windows.',
    example: '106540352242922',
  }),
  CHATAPP_BUSINESS_ACCOUNT_ID: z
    .string()
    .optional()
    .meta({ description: 'Id of the shared business account at the provider.', example: '102290129340398' }),
  CHATAPP_PRODUCT: z
    .string()
    .regex(/^[a-z_]{1,40}$/, 'must be lowercase letters')
    .default('chatapp')
    .meta({
      description:
        "The provider's name for its product: `messaging_product` in calls, and the prefix of the `object` in webhooks.",
      form: 'lower-case letters and underscores, at most 40',
    }),
});
