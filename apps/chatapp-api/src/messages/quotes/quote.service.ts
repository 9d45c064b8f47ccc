import { Injectable } from '@nestjs/common';
import { assertScope, type Tenant } from '@heliograph/auth';
import { acceptMessages, type AcceptanceResult } from '@heliograph/chatapp-messages';
import { balanceOf } from '@heliograph/credits';
import { rolledBack } from '@heliograph/database';
import { quoteOf, SEND_CHECKS, type V1Quote } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { assertAccepted } from '../acceptance';
import type { SendRequest } from '../send-request.dto';
import { SendService } from '../send.service';

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
    private readonly pool: Pool,
  ) {}

  /** Runs the checks of a send, and the acceptance in a transaction that is rolled back. */
  quote(caller: Tenant, request: SendRequest, correlationId: string): Promise<V1Quote> {
    return quoteOf(SEND_CHECKS.chatapp, async (quoted, checks) => {
      checks.note('permission', () => assertScope(caller, 'chatapp:send'));
      const row = await this.sends.check(caller, request, correlationId, checks);
      const { price, currency, workspace_id: workspaceId } = row;
      Object.assign(quoted, { credits_cost: price, currency });
      quoted.credits_available = await balanceOf(this.pool, workspaceId, 'chatapp');
      const [accepted] = await rolledBack(this.pool, (client) => acceptMessages(client, [row]));
      if (!accepted) throw new Error('the acceptance returned no result');
      for (const [name, outcome] of ACCEPTANCE) {
        await checks.run(name, () => {
          if (accepted.outcome === outcome) assertAccepted(accepted, row);
        });
      }
      if (accepted.is_free) quoted.credits_cost = 0;
    });
  }
}
