import { Injectable } from '@nestjs/common';
import { assertScope, type Tenant } from '@heliograph/auth';
import {
  acceptMessages,
  allowanceUsesOf,
  readConversationState,
  termsOf,
  type AcceptanceResult,
  type SendTerms,
} from '@heliograph/chatapp-messages';
import {
  balanceOf,
  quoteOf,
  SEND_CHECKS,
  type QuoteProgress,
  type QuotedSend,
  type V1Quote,
} from '@heliograph/credits';
import { rolledBack } from '@heliograph/database';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { assertAccepted } from '../acceptance';
import type { SendRequest } from '../send-request.dto';
import { SendService, type PricedSend } from '../send.service';

/** The checks of the acceptance in the order of `chatapp.accept`, each with its outcome if the check fails. */
const ACCEPTANCE: readonly (readonly [string, AcceptanceResult['outcome']])[] = [
  ['consent', 'opted_out'],
  ['window', 'window_closed'],
  ['credits', 'insufficient'],
];
/** Computes the cost of a send and whether it would be accepted, without calling the provider. */
@Injectable()
export class QuoteService {
  constructor(
    private readonly sends: SendService,
    private readonly workspaces: WorkspaceDirectory,
    private readonly pool: Pool,
  ) {}

  /** Runs the checks of a send, and the acceptance in a transaction that is rolled back. */
  quote(caller: Tenant, request: SendRequest, correlationId: string): Promise<V1Quote> {
    return quoteOf(
      SEND_CHECKS.chatapp,
      async (quoted, progress) => {
        progress.note('permission', () => assertScope(caller, 'chatapp:send'));
        const row = await this.sends.check(caller, request, correlationId, progress);
        const { price, currency, workspace_id: workspaceId } = row;
        Object.assign(quoted, { credits_cost: price, currency });
        quoted.credits_available = await balanceOf(this.pool, workspaceId, 'chatapp');
        const [accepted] = await rolledBack(this.pool, (client) => acceptMessages(client, [row]));
        if (!accepted) throw new Error('the acceptance returned no result');
        for (const [check, outcome] of ACCEPTANCE) {
          progress.enter(check);
          if (accepted.outcome === outcome) assertAccepted(accepted, row);
        }
        if (accepted.is_free) quoted.credits_cost = 0;
      },
      (quoted, progress) => this.attemptRest(caller, request, progress, quoted),
    );
  }

  /** After a failed check, runs the later checks that do not need its result. */
  private async attemptRest(
    caller: Tenant,
    request: SendRequest,
    progress: QuoteProgress,
    quoted: QuotedSend,
  ): Promise<void> {
    const send = await this.sends.attemptRest(caller, request, progress);
    const workspace = await this.workspaces.find(caller);
    const balance = workspace && (await balanceOf(this.pool, workspace.id, 'chatapp'));
    quoted.credits_available = balance;
    if (!send) return;
    const state = await readConversationState(this.pool, {
      accountId: send.account_id,
      organizationId: caller.organizationId,
      number: send.recipient,
    });
    await progress.attempt('consent', () => {
      if (state.isOptedOut) assertAccepted({ outcome: 'opted_out', balance: 0 }, send);
    });
    const terms = termsOf(send, { ...state, isOptedOut: false });
    await progress.attempt('window', () => {
      if (terms === 'window_closed') assertAccepted({ outcome: terms, balance: 0 }, send);
    });
    const isFree = typeof terms !== 'string' && workspace !== null && (await this.isFree(send, terms, workspace.id));
    const cost = isFree ? 0 : send.price;
    Object.assign(quoted, { credits_cost: cost, currency: send.currency });
    if (balance === null) return;
    await progress.attempt('credits', () => {
      if (balance < cost) assertAccepted({ outcome: 'insufficient', balance }, send);
    });
  }

  private async isFree(send: PricedSend, terms: SendTerms, workspaceId: string): Promise<boolean> {
    if (terms.allowance_month === null || send.monthly_limit === null) return terms.is_free;
    const { used } = await allowanceUsesOf(this.pool, workspaceId);
    return (used.get(send.category) ?? 0) < send.monthly_limit;
  }
}
