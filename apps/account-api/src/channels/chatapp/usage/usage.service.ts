import { Inject, Injectable } from '@nestjs/common';
import { CATEGORIES, ChatappAccounts, ChatappCatalog } from '@heliograph/chatapp-catalog';
import { allowanceUsesOf, readConversationState } from '@heliograph/chatapp-messages';
import { AppError } from '@heliograph/errors';
import type { Workspace } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { CONFIG, v1Timestamp } from '@heliograph/service-kit';
import type { AccountApiConfig } from '../../../account-api.config';
import { normalizeNumber } from '../number-rule';
import type { ChatappAllowanceUsageList, OneChatappWindow } from './usage.dto';

/** Reads the allowances, the consent and the conversation window that apply to the next send of a workspace. */
@Injectable()
export class ChatappUsageService {
  constructor(
    private readonly pool: Pool,
    private readonly catalog: ChatappCatalog,
    private readonly accounts: ChatappAccounts,
    @Inject(CONFIG) private readonly config: AccountApiConfig,
  ) {}

  async allowances({ id }: Workspace): Promise<ChatappAllowanceUsageList> {
    const { month, used } = await allowanceUsesOf(this.pool, id);
    const now = new Date();
    const allowances = await Promise.all(
      CATEGORIES.map(async (category) => {
        const { isFree, monthlyLimit } = await this.catalog.allowanceOf(category, now);
        const taken = used.get(category) ?? 0;
        return {
          category,
          isFree,
          monthlyLimit,
          used: taken,
          remaining: remaining(isFree, monthlyLimit, taken),
          month,
        };
      }),
    );
    return { allowances };
  }

  /** Throws CHATAPP_NOT_CONFIGURED if no sending number is configured. */
  async window({ organizationId }: Workspace, text: string): Promise<OneChatappWindow> {
    const number = normalizeNumber(text);
    const { CHATAPP_PHONE_NUMBER_ID: phoneNumberId, CHATAPP_BUSINESS_ACCOUNT_ID: businessAccountId } = this.config;
    if (phoneNumberId === undefined) {
      throw new AppError(
        'CHATAPP_NOT_CONFIGURED',
        'Chat-app messaging is not configured. Ask the operator to set CHATAPP_PHONE_NUMBER_ID.',
      );
    }
    const { id: accountId } = await this.accounts.operatorAccount(phoneNumberId, businessAccountId ?? null);
    const { lastInboundAt, openUntil, isOptedOut } = await readConversationState(this.pool, {
      accountId,
      organizationId,
      number,
    });
    return {
      window: {
        number,
        open: openUntil !== null,
        openUntil: v1Timestamp(openUntil),
        lastInboundAt: v1Timestamp(lastInboundAt),
        optedOut: isOptedOut,
      },
    };
  }
}

function remaining(isFree: boolean, monthlyLimit: number | null, taken: number): number | null {
  if (!isFree) return 0;
  return monthlyLimit === null ? null : Math.max(monthlyLimit - taken, 0);
}
