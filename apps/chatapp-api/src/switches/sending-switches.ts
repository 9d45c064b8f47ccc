import { Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { ChatappAccounts, ChatappCatalog, type ChatappAccount } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import type { ChatappApiSettings } from '../chatapp-api.config';
import { CHATAPP_API_SETTINGS } from '../chatapp-api.tokens';
import { GraphClient } from '../upstream/graph-client';

/** Whether there is an upstream to send through, and whether it may be used. */
@Injectable()
export class SendingSwitches implements OnApplicationBootstrap {
  constructor(
    @Inject(CHATAPP_API_SETTINGS) private readonly settings: ChatappApiSettings,
    @Inject(ChatappCatalog) private readonly catalog: ChatappCatalog,
    @Inject(ChatappAccounts) private readonly accounts: ChatappAccounts,
    @Inject(GraphClient) private readonly graph: GraphClient,
  ) {}

  /** What comes in finds its account even before anything went out. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.isConfigured) await this.account();
  }

  /** The operator's word, else the setting's. */
  async isEnabled(): Promise<boolean> {
    return (await this.catalog.isSendingEnabled()) ?? this.settings.CHATAPP_SENDING_ENABLED;
  }

  get isConfigured(): boolean {
    return this.graph.isConfigured;
  }

  /** Throws CHATAPP_DISABLED, then CHATAPP_NOT_CONFIGURED. */
  async assertSending(): Promise<void> {
    if (!(await this.isEnabled())) {
      throw new AppError('CHATAPP_DISABLED', 'Sending is switched off at the moment. Try again later.', {
        retryAfterSeconds: 60,
      });
    }
    this.assertConfigured();
  }

  /** Throws CHATAPP_NOT_CONFIGURED. */
  assertConfigured(): void {
    this.graph.requireConfigured();
  }

  /** The account that everybody shares. Throws CHATAPP_NOT_CONFIGURED. */
  async account(): Promise<ChatappAccount> {
    const { CHATAPP_PHONE_NUMBER_ID, CHATAPP_BUSINESS_ACCOUNT_ID } = this.settings;
    if (!CHATAPP_PHONE_NUMBER_ID) this.assertConfigured();
    return this.accounts.platform(CHATAPP_PHONE_NUMBER_ID ?? '', CHATAPP_BUSINESS_ACCOUNT_ID ?? null);
  }
}
