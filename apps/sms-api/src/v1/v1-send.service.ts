import { Injectable } from '@nestjs/common';
import { assertRole, assertScope, originOf, type Tenant } from '@heliograph/auth';
import { messagingNow, newId } from '@heliograph/database';
import type { IdempotentCall } from '@heliograph/idempotency';
import { balanceOf } from '@heliograph/credits';
import {
  fieldError,
  parseScheduledAt,
  quoteOf,
  SEND_CHECKS,
  REAL_SEND,
  v1NotFound,
  type SendChecksRun,
  type V1Quote,
} from '@heliograph/service-kit';
import { WorkspaceDirectory, type Workspace } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { AcceptService } from '../messages/accept.service';
import { toAcceptanceRow, withClaim, type CheckedMessage } from '../messages/accepted-message';
import { MessageChecks } from '../messages/message-checks';
import { V1ContentService, type CommonContent, type OneRecipient } from './v1-content.service';
import type { V1SendRequest, V1SentSms, V1SmsContent } from './v1-send.dto';

/** The data that all messages of one call share. */
export interface V1Call {
  caller: Tenant;
  workspace: Workspace;
  scheduledAt: string | null;
  flash: boolean;
  content: CommonContent;
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
    private readonly pool: Pool,
  ) {}

  /** Sends one message. Throws the error codes of a send, and AlreadyClaimedError. */
  async send(
    caller: Tenant,
    request: V1SendRequest,
    correlationId: string,
    claim: IdempotentCall | null,
  ): Promise<V1SentSms> {
    const call = await this.begin(caller, request, correlationId);
    const message = await this.check(call, { to: request.to, reference: request.reference ?? undefined });
    await this.sends.assertRoom(caller, call.scheduledAt ? 1 : 0);
    const id = newId();
    const response: V1SentSms = { ...recordOf(id, message), credits_remaining: 0 };
    response.credits_remaining = await this.sends.accept(withClaim(toAcceptanceRow(id, message), claim, response));
    return response;
  }

  /** Runs the checks of `send`, and the acceptance in a transaction that is rolled back. */
  quote(caller: Tenant, request: V1SendRequest, correlationId: string): Promise<V1Quote> {
    return quoteOf(SEND_CHECKS.sms, async (quoted, checks) => {
      checks.note('permission', () => {
        assertScope(caller, 'sms:send');
        assertRole(caller, 'member');
      });
      const call = await this.begin(caller, request, correlationId, { checks });
      quoted.earliest_send_at = call.scheduledAt && new Date(call.scheduledAt).toISOString();
      quoted.credits_available = await balanceOf(this.pool, call.workspace.id, 'sms');
      const message = await this.check(call, { to: request.to, reference: request.reference ?? undefined });
      const { segments, encoding } = message.composed;
      Object.assign(quoted, { segments, encoding, credits_cost: message.creditsCost });
      await checks.run('limits', () => this.sends.tryRoom(caller, call.scheduledAt ? 1 : 0));
      await checks.run('credits', () => this.sends.tryAccept(toAcceptanceRow(newId(), message)));
    });
  }

  /** Checks the common fields of all messages of a call. If `ownMessages` is true, recipients can have their own text. */
  async begin(
    caller: Tenant,
    request: V1SmsContent,
    correlationId: string,
    { ownMessages = false, checks = REAL_SEND }: { ownMessages?: boolean; checks?: SendChecksRun } = {},
  ): Promise<V1Call> {
    const content = await this.contents.common(caller, request, { ownMessages, checks });
    const scheduled = request.scheduled_at ? parseScheduledAt(request.scheduled_at) : null;
    await checks.run('schedule', () => assertInFuture(scheduled));
    const owner = await this.ownerOf(caller, request.workspace_id ?? null);
    const workspace = await checks.run('workspace', () => this.workspaces.sending(owner));
    return {
      ...{ caller, content, workspace, correlationId },
      scheduledAt: scheduled?.timestamp ?? null,
      flash: request.flash ?? false,
      createdAt: messagingNow(),
    };
  }

  /** Checks one message of a call. */
  async check(call: V1Call, recipient: OneRecipient): Promise<CheckedMessage> {
    const { caller, workspace, flash, scheduledAt, createdAt, correlationId } = call;
    const composed = await this.contents.compose(caller, call.content, recipient);
    await call.content.checks.run('consent', () => this.checks.refuseErased(caller, composed.recipient));
    return {
      ...composed,
      organizationId: caller.organizationId,
      workspaceId: workspace.id,
      ...{ flash, scheduledAt, createdAt, correlationId, origin: originOf(caller) },
      reference: recipient.reference ?? null,
    };
  }

  /** Throws NOT_FOUND for a workspace of another organization. */
  private async ownerOf(
    caller: Tenant,
    chosen: string | null,
  ): Promise<Pick<Tenant, 'organizationId' | 'workspaceId'>> {
    if (chosen === null) return caller;
    const own = await this.workspaces.all(caller);
    if (!own.some(({ id }) => id === chosen.toLowerCase())) throw v1NotFound('workspace');
    return { organizationId: caller.organizationId, workspaceId: chosen.toLowerCase() };
  }
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
