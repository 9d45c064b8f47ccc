import { randomUUID } from 'node:crypto';
import { benchKey, upTo } from '@heliograph/bench-data';
import type { PaymentsSimulator } from '@heliograph/simulators';
import type { Transfer } from '../accounts/account-workload';
import { callUntilAnswered } from '../call';
import { postPaymentEvent } from '../payments/post-payment-event';
import { Workload, type LoadSource } from '../workload';
import { CREDIT_TYPE, PACKAGES } from './seed-packages';
import { chooseOutcome, disturbed, eventsOf, type Outcome, type PurchaseEvent } from './purchase-events';

const LANES = 4;
const PAUSE_MS = 200;
const REPEATED_SHARE = 0.2;
const SPENT_SHARE = 0.6;
const MAX_QUANTITY = 3;

/** A purchase that was acknowledged, and what the processor reported about it. */
export interface AcknowledgedPurchase {
  id: string;
  checkoutId: string;
  workspaceId: string;
  credits: number;
  amount: number;
  outcome: Outcome;
}

export interface PurchaseTarget {
  accountUrl: string;
  hookUrl: string;
  organizations: number;
  processor: PaymentsSimulator;
}

interface PurchaseAnswer {
  id: string;
  workspace_id: string;
  credits: number;
  amount: number;
  checkout_url: string;
}

/** Admins who buy credits, and the payment processor, which reports payments, expiries, refunds and disputes repeatedly and in any order. */
export class PurchaseWorkload extends Workload implements LoadSource {
  readonly purchases: AcknowledgedPurchase[] = [];
  readonly transfers: Transfer[] = [];
  /** Ids of events. */
  readonly acknowledged = new Set<string>();
  private number = 0;

  constructor(private readonly target: PurchaseTarget) {
    super();
  }

  override start(): this {
    return super.start(LANES);
  }

  summary(): string {
    return `${this.purchases.length} purchases`;
  }

  protected async runOnce(): Promise<void> {
    const bearerToken = benchKey(this.number++ % this.target.organizations);
    const workspaces = await this.workspacesOf(bearerToken);
    if (workspaces) await this.buy(bearerToken, workspaces);
    await this.pause(PAUSE_MS);
  }

  private async buy(bearerToken: string, [main, sibling]: readonly [string, string]): Promise<void> {
    const answer = await this.callAndRepeat<PurchaseAnswer>(
      {
        name: 'POST /credits/purchase',
        url: `${this.target.accountUrl}/api/v1/credits/purchase`,
        bearerToken,
        idempotencyKey: randomUUID(),
        body: {
          credit_type: CREDIT_TYPE,
          package: PACKAGES[0].key,
          quantity: upTo(MAX_QUANTITY),
          workspace_id: sibling,
          success_url: 'https://shop.chaos.example/thanks',
        },
      },
      { share: REPEATED_SHARE },
    );
    if (!answer) return;
    const checkoutId = answer.checkout_url.split('/').at(-1) ?? '';
    const session = this.target.processor.checkouts.find(checkoutId);
    const paid = session && this.target.processor.checkouts.pay(session);
    if (!paid) {
      this.problems.push(`the checkout ${checkoutId} of the purchase ${answer.id} does not exist or is not open`);
      return;
    }
    const { id, workspace_id: workspaceId, credits, amount } = answer;
    const outcome = chooseOutcome(amount);
    this.purchases.push({ id, checkoutId, workspaceId, credits, amount, outcome });
    const { checkout, claims } = eventsOf(outcome, paid.object);
    if (claims.length > 0 && Math.random() < SPENT_SHARE) {
      await this.postAll(disturbed(checkout));
      await this.spend(bearerToken, sibling, main, credits);
      await this.postAll(disturbed(claims));
    } else await this.postAll(disturbed([...checkout, ...claims]));
  }

  /** At the same time, as a processor with several senders does. */
  private async postAll(events: readonly PurchaseEvent[]): Promise<void> {
    await Promise.all(
      events.map(async (event) => {
        if (await postPaymentEvent(this.target.hookUrl, event, this)) this.acknowledged.add(event.id);
      }),
    );
  }

  /** Moves credits to another workspace, where a refund or a dispute finds them. */
  private async spend(bearerToken: string, from: string, to: string, most: number): Promise<void> {
    const amount = upTo(most);
    const answer = await this.callAndRepeat<{ id: string }>(
      {
        name: 'POST /credits/transfer',
        url: `${this.target.accountUrl}/api/v1/credits/transfer`,
        bearerToken,
        idempotencyKey: randomUUID(),
        mayRefuse: /INSUFFICIENT_CREDITS/,
        body: { from_workspace_id: from, to_workspace_id: to, credit_type: CREDIT_TYPE, amount },
      },
      { share: REPEATED_SHARE },
    );
    if (answer) this.transfers.push({ id: answer.id, fromWorkspaceId: from, toWorkspaceId: to, amount });
  }

  /** The main workspace, and its sibling, which buys. */
  private async workspacesOf(bearerToken: string): Promise<[string, string] | null> {
    const answer = await callUntilAnswered<{ data: { workspaces: { id: string; slug: string }[] } }>(
      { name: 'the list of workspaces', url: `${this.target.accountUrl}/api/workspaces`, method: 'GET', bearerToken },
      this,
    );
    const all = answer?.data.workspaces ?? [];
    const sibling = all.find(({ slug }) => slug.endsWith('-sibling'));
    const main = all.find(({ slug }) => !slug.endsWith('-sibling'));
    return main && sibling ? [main.id, sibling.id] : null;
  }
}
