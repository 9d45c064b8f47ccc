/** The pages of the console to which emails, the payment page and the command line lead. */
export const CONSOLE_PATHS = {
  verifyEmail: '/console/verify-email',
  resetPassword: '/console/reset-password',
  acceptInvitation: '/console/invitations/accept',
  approveDevice: '/console/device',
  purchaseCompleted: '/console/credits/completed',
  purchaseCanceled: '/console/credits/canceled',
} as const;
