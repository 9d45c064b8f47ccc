/** One prepaid balance per workspace and channel. */
export const CREDIT_TYPES = ['sms', 'email', 'chatapp'] as const;
export type CreditType = (typeof CREDIT_TYPES)[number];
