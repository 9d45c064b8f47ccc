/** The only business account of the simulator. */
export interface ProviderAccount {
  accessToken: string;
  phoneNumberId: string;
  /** Digits without the plus, as in webhooks. */
  displayPhoneNumber: string;
  businessAccountId: string;
  /** Signs the webhooks; empty for unsigned webhooks. */
  appSecret: string;
  /** The required `messaging_product` and the prefix of the webhooks' `object`. */
  product: string;
}

export const DEFAULT_ACCOUNT: ProviderAccount = {
  accessToken: 'local-platform-token',
  phoneNumberId: '100000000000001',
  displayPhoneNumber: '15550100001',
  businessAccountId: '200000000000002',
  appSecret: 'local-app-secret',
  product: 'chatapp',
};
