/** Each workspace has one prepaid balance per credit type. */
export const CREDIT_TYPES = ['sms', 'email', 'chatapp'] as const;
export type CreditType = (typeof CREDIT_TYPES)[number];
