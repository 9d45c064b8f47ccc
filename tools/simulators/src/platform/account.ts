/** The one business account that the simulator knows. */
export interface PlatformAccount {
  accessToken: string;
  phoneNumberId: string;
  /** As webhooks show it: digits without the plus. */
  displayPhoneNumber: string;
  businessAccountId: string;
  /** Signs the webhooks; empty: they are not signed. */
  appSecret: string;
  /** What `messaging_product` must be, and the beginning of the webhooks' `object`. */
  product: string;
}

export const DEFAULT_ACCOUNT: PlatformAccount = {
  accessToken: 'local-platform-token',
  phoneNumberId: '100000000000001',
  displayPhoneNumber: '15550100001',
  businessAccountId: '200000000000002',
  appSecret: 'local-app-secret',
  product: 'chatapp',
};
