import { Injectable } from '@nestjs/common';
import { assertRole, assertScope, originOf, type Tenant } from '@heliograph/auth';
import { messagingNow, newId } from '@heliograph/database';
import { IdempotencyService, type Claim } from '@heliograph/idempotency';
import {
  balanceOf,
  quoteOf,
  SEND_CHECKS,
  REAL_SEND,
  type QuoteProgress,
  type QuotedSend,
  type SendProgress,
  type V1Quote,
} from '@heliograph/credits';
import { parseRecipient } from '@heliograph/addresses';
import { fieldError, parseScheduledAt } from '@heliograph/service-kit';
import { WorkspaceDirectory, type Workspace } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { AcceptService } from '../messages/accept.service';
import { toAcceptanceRow, withClaim, type CheckedMessage } from '../messages/accepted-message';
import { MessageChecks } from '../messages/message-checks';
import { V1ContentService, type ComposedContent } from './v1-content.service';
import type { V1SendRequest, V1SentSms, V1SmsContent } from './v1-send.dto';

/** The data that all messages of one call share, except their content. */
export interface V1Call {
  caller: Tenant;
  workspace: Workspace;
  scheduledAt: string | null;
  flash: boolean;
  createdAt: string;
  correlationId: string;
}

/** Sends messages of the v1 API, with the same checks and acceptance as the unversioned API. */
@Injectable()
export class V1SendService {
  constructor(
    private readonly contents: V1ContentService,
    private readonly workspaces: WorkspaceDirectory,
    private readonly checks: MessageChecks,
    private readonly sends: AcceptService,
    private readonly idempotency: IdempotencyService,
    private readonly pool: Pool,
  ) {}

  /** Sends one message. Throws the error codes of a send. */
  send(caller: Tenant, request: V1SendRequest, correlationId: string, claim: Claim | null): Promise<V1SentSms> {
    return this.idempotency.run(claim, async () => {
      const message = await this.check(caller, request, correlationId, REAL_SEND);
      await this.sends.assertRoom(caller, message.scheduledAt ? 1 : 0);
      const id = newId();
      const response: V1SentSms = { ...recordOf(id, message), credits_remaining: 0 };
      response.credits_remaining = await this.sends.accept(
        withClaim(toAcceptanceRow(id, message, 'single'), claim, response),
      );
      return response;
    });
  }

  /** Runs the checks of `send`, and the acceptance in a transaction that is rolled back. */
  quote(caller: Tenant, request: V1SendRequest, correlationId: string): Promise<V1Quote> {
    return quoteOf(
      SEND_CHECKS.sms,
      async (quoted, progress) => {
        progress.note('permission', () => {
          assertScope(caller, 'sms:send');
          assertRole(caller, 'member');
        });
        const message = await this.check(caller, request, correlationId, progress, quoted);
        progress.enter('limits');
        await this.sends.tryRoom(caller, message.scheduledAt ? 1 : 0);
        progress.enter('credits');
        await this.sends.tryAccept(toAcceptanceRow(newId(), message, 'single'));
      },
      (quoted, progress) => this.attemptRest(caller, request, progress, quoted),
    );
  }

  /** After a failed check, a quote also runs the later checks that do not need its result. */
  private async attemptRest(
    caller: Tenant,
    request: V1SendRequest,
    progress: QuoteProgress,
    quoted: QuotedSend,
  ): Promise<void> {
    const composed = await this.contents.attemptRest(caller, request, progress);
    const recipient = parseRecipient(request.to);
    quoted.segments = composed?.segments ?? null;
    quoted.encoding = composed?.encoding ?? null;
    quoted.credits_cost = composed && recipient && (await this.contents.costOf(composed, recipient));
    await progress.attempt('schedule', () =>
      assertInFuture(request.scheduled_at ? parseScheduledAt(request.scheduled_at) : null),
    );
    await progress.attempt('workspace', () => this.sendingWorkspace(caller, request));
    const workspace = await this.workspaces.findChosen(caller, request.workspace_id);
    if (workspace) quoted.credits_available = await balanceOf(this.pool, workspace.id, 'sms');
    if (recipient) await progress.attempt('consent', () => this.checks.refuseErased(caller, recipient));
    await progress.attempt('limits', () => this.sends.tryRoom(caller, request.scheduled_at ? 1 : 0));
    const { credits_cost: cost, credits_available: balance } = quoted;
    if (typeof cost !== 'number' || typeof balance !== 'number') return;
    await progress.attempt('credits', () => this.sends.assertCredits(cost, balance));
  }

  /** Checks one message in the order of the contract: its content, the schedule, the workspace, then the person. */
  private async check(
    caller: Tenant,
    request: V1SendRequest,
    correlationId: string,
    progress: SendProgress,
    quoted?: QuotedSend,
  ): Promise<CheckedMessage> {
    const common = await this.contents.common(caller, request, { progress });
    const content = await this.contents.compose(caller, common, { to: request.to });
    const { segments, encoding } = content.composed;
    if (quoted) Object.assign(quoted, { segments, encoding, credits_cost: content.creditsCost });
    const scheduledAt = this.scheduleOf(request, progress);
    const call = await this.begin(caller, request, { correlationId, scheduledAt, progress });
    if (quoted) {
      quoted.earliest_send_at = scheduledAt && new Date(scheduledAt).toISOString();
      quoted.credits_available = await balanceOf(this.pool, call.workspace.id, 'sms');
    }
    progress.enter('consent');
    await this.checks.refuseErased(caller, content.recipient);
    progress.leave();
    return messageOf(call, content, request.reference);
  }

  /** The time of a scheduled send. Throws SCHEDULED_AT_IN_PAST. */
  scheduleOf({ scheduled_at: given }: V1SmsContent, progress: SendProgress): string | null {
    const scheduled = given ? parseScheduledAt(given) : null;
    progress.enter('schedule');
    assertInFuture(scheduled);
    progress.leave();
    return scheduled?.timestamp ?? null;
  }

  /** Resolves the workspace that sends, after the checks of the content. */
  async begin(
    caller: Tenant,
    request: V1SmsContent,
    {
      correlationId,
      scheduledAt,
      progress,
    }: { correlationId: string; scheduledAt: string | null; progress: SendProgress },
  ): Promise<V1Call> {
    const { organizationId } = caller;
    const workspaceId = await this.workspaces.chosen(caller, request.workspace_id);
    progress.enter('workspace');
    const workspace = await this.workspaces.sending({ organizationId, workspaceId });
    progress.leave();
    const flash = request.flash ?? false;
    return { caller, workspace, scheduledAt, flash, createdAt: messagingNow(), correlationId };
  }

  /** Throws NOT_FOUND, NO_WORKSPACE. */
  private async sendingWorkspace(caller: Tenant, request: V1SmsContent): Promise<Workspace> {
    const workspaceId = await this.workspaces.chosen(caller, request.workspace_id);
    return this.workspaces.sending({ organizationId: caller.organizationId, workspaceId });
  }
}

export function messageOf(
  call: V1Call,
  content: ComposedContent,
  reference: string | null | undefined,
): CheckedMessage {
  const { caller, workspace, flash, scheduledAt, createdAt, correlationId } = call;
  return {
    ...content,
    organizationId: caller.organizationId,
    workspaceId: workspace.id,
    flash,
    scheduledAt,
    createdAt,
    correlationId,
    origin: originOf(caller),
    reference: reference ?? null,
  };
}

function assertInFuture(scheduled: { date: Date } | null): void {
  if (!scheduled || scheduled.date.getTime() > Date.now()) return;
  const message = 'scheduled_at must be in the future. Omit it to send immediately.';
  throw fieldError('SCHEDULED_AT_IN_PAST', 'scheduled_at', message);
}

/** The record of a message that was just accepted. */
export function recordOf(id: string, message: CheckedMessage): Omit<V1SentSms, 'credits_remaining'> {
  const { sender, template, recipient, composed } = message;
  return {
    id,
    status: message.scheduledAt ? 'scheduled' : 'queued',
    to: recipient.e164,
    sender_id: sender.id,
    sender: sender.header,
    template_id: template?.id ?? null,
    message: composed.body,
    encoding: composed.encoding,
    segments: composed.segments,
    credits_cost: message.creditsCost,
    flash: message.flash,
    campaign_id: null,
    reference: message.reference,
    error: null,
    scheduled_at: message.scheduledAt && new Date(message.scheduledAt).toISOString(),
    created_at: `${message.createdAt.slice(0, 23)}Z`,
    sent_at: null,
    delivered_at: null,
  };
}
