import { Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ChatappAccounts, ChatappCatalog, type ChatappAccount } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import { CONFIG } from '@heliograph/service-kit';
import type { ChatappApiConfig } from '../chatapp-api.config';
import { GraphClient } from '../upstream/graph-client';

/** Whether the provider is configured and sending is enabled. */
@Injectable()
export class SendingSwitches implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: ChatappApiConfig,
    private readonly catalog: ChatappCatalog,
    private readonly accounts: ChatappAccounts,
    private readonly graph: GraphClient,
  ) {}

  /** Creates the account, so that inbound messages can be stored before the first send. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.isConfigured) await this.account();
  }

  /** Returns the value of the operator's switch or, if the operator has not set it, of the configuration. */
  async isEnabled(): Promise<boolean> {
    return (await this.catalog.isSendingEnabled()) ?? this.config.CHATAPP_SENDING_ENABLED;
  }

  get isConfigured(): boolean {
    return this.graph.isConfigured;
  }

  /** Throws CHATAPP_DISABLED, then CHATAPP_NOT_CONFIGURED. */
  async assertSending(): Promise<void> {
    if (!(await this.isEnabled())) {
      throw new AppError('CHATAPP_DISABLED', 'Sending is disabled at the moment. Try again later.', {
        retryAfterSeconds: 60,
      });
    }
    this.assertConfigured();
  }

  /** Throws CHATAPP_NOT_CONFIGURED. */
  assertConfigured(): void {
    this.graph.requireConfigured();
  }

  /** The shared account. Throws CHATAPP_NOT_CONFIGURED. */
  async account(): Promise<ChatappAccount> {
    const { CHATAPP_PHONE_NUMBER_ID, CHATAPP_BUSINESS_ACCOUNT_ID } = this.config;
    if (!CHATAPP_PHONE_NUMBER_ID) this.assertConfigured();
    return this.accounts.operatorAccount(CHATAPP_PHONE_NUMBER_ID ?? '', CHATAPP_BUSINESS_ACCOUNT_ID ?? null);
  }
}
