/** The pages of the console to which emails and the payment page lead. */
export const CONSOLE_PATHS = {
  verifyEmail: '/console/verify-email',
  resetPassword: '/console/reset-password',
  acceptInvitation: '/console/invitations/accept',
  purchaseCompleted: '/console/credits/completed',
  purchaseCanceled: '/console/credits/canceled',
} as const;
