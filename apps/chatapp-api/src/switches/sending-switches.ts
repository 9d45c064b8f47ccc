import { Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ChatappAccounts, ChatappCatalog, type ChatappAccount } from '@heliograph/chatapp-catalog';
import { isTestId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { CONFIG } from '@heliograph/service-kit';
import type { ChatappApiConfig } from '../chatapp-api.config';
import { Providers } from '../upstream/providers';

/** Whether the provider is configured and sending is enabled. */
@Injectable()
export class SendingSwitches implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: ChatappApiConfig,
    private readonly catalog: ChatappCatalog,
    private readonly accounts: ChatappAccounts,
    private readonly providers: Providers,
  ) {}

  /** Creates the account, so that inbound messages can be stored before the first send. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.isConfigured) await this.liveAccount();
  }

  /** Returns the value of the operator's switch or, if the operator has not set it, of the configuration. */
  async isEnabled(): Promise<boolean> {
    return (await this.catalog.isSendingEnabled()) ?? this.config.CHATAPP_SENDING_ENABLED;
  }

  get isConfigured(): boolean {
    return this.providers.live.isConfigured;
  }

  /** The switch concerns the provider, so test organizations always send. Throws CHATAPP_DISABLED, then CHATAPP_NOT_CONFIGURED. */
  async assertSending(organizationId: string): Promise<void> {
    if (!isTestId(organizationId) && !(await this.isEnabled())) {
      throw new AppError('CHATAPP_DISABLED', 'Sending is disabled at the moment. Try again later.', {
        retryAfterSeconds: 60,
      });
    }
    this.assertConfigured(organizationId);
  }

  /** Throws CHATAPP_NOT_CONFIGURED. */
  assertConfigured(organizationId: string): void {
    this.providers.of(organizationId).requireConfigured();
  }

  /** The account of a test organization, or the account that all live organizations share. Throws CHATAPP_NOT_CONFIGURED. */
  async account(organizationId: string): Promise<ChatappAccount> {
    if (!isTestId(organizationId)) return this.liveAccount();
    const { phoneNumberId, businessAccountId } = this.providers.of(organizationId).requireConfigured();
    return this.accounts.operatorAccount(phoneNumberId, businessAccountId);
  }

  private async liveAccount(): Promise<ChatappAccount> {
    const { CHATAPP_PHONE_NUMBER_ID, CHATAPP_BUSINESS_ACCOUNT_ID } = this.config;
    if (!CHATAPP_PHONE_NUMBER_ID) this.providers.live.requireConfigured();
    return this.accounts.operatorAccount(CHATAPP_PHONE_NUMBER_ID ?? '', CHATAPP_BUSINESS_ACCOUNT_ID ?? null);
  }
}
