import { Inject, Injectable } from '@nestjs/common';
import { CATEGORIES, ChatappAccounts, ChatappCatalog } from '@heliograph/chatapp-catalog';
import { allowanceUsesOf, numberStanding } from '@heliograph/chatapp-messages';
import { poolOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { ACCOUNT_API_SETTINGS, type AccountApiSettings } from '../account-api.config';
import type { ChatappAllowanceStanding, ChatappWindow } from './standing.dto';

/** What the next chat-app send of a workspace would meet. */
@Injectable()
export class ChatappStandingService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ChatappCatalog) private readonly catalog: ChatappCatalog,
    @Inject(ChatappAccounts) private readonly accounts: ChatappAccounts,
    @Inject(ACCOUNT_API_SETTINGS) private readonly settings: AccountApiSettings,
  ) {}

  async allowances({ id }: Workspace): Promise<ChatappAllowanceStanding[]> {
    const { month, used } = await allowanceUsesOf(poolOf(this.dataSource), id);
    const now = new Date();
    return Promise.all(
      CATEGORIES.map(async (category) => {
        const { isFree, monthlyLimit } = await this.catalog.allowanceOf(category, now);
        const taken = used.get(category) ?? 0;
        return { category, isFree, monthlyLimit, used: taken, remaining: left(isFree, monthlyLimit, taken), month };
      }),
    );
  }

  /** Throws CHATAPP_NOT_CONFIGURED where nobody has said which number messages come from. */
  async window({ organizationId }: Workspace, number: string): Promise<ChatappWindow> {
    const { CHATAPP_PHONE_NUMBER_ID: phoneNumberId, CHATAPP_BUSINESS_ACCOUNT_ID: businessAccountId } = this.settings;
    if (phoneNumberId === undefined) {
      throw new AppError(
        'CHATAPP_NOT_CONFIGURED',
        'The platform has no chat-app number yet. Its operator sets CHATAPP_PHONE_NUMBER_ID.',
      );
    }
    const { id: accountId } = await this.accounts.platform(phoneNumberId, businessAccountId ?? null);
    const { lastInboundAt, openUntil, isOptedOut } = await numberStanding(poolOf(this.dataSource), {
      accountId,
      organizationId,
      number,
    });
    return {
      number,
      open: openUntil !== null,
      openUntil: openUntil?.toISOString() ?? null,
      lastInboundAt: lastInboundAt?.toISOString() ?? null,
      optedOut: isOptedOut,
    };
  }
}

function left(isFree: boolean, monthlyLimit: number | null, taken: number): number | null {
  if (!isFree) return 0;
  return monthlyLimit === null ? null : Math.max(monthlyLimit - taken, 0);
}
