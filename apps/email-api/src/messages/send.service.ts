import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { messagingNow, newId } from '@heliograph/database';
import {
  EmailCatalog,
  isSending,
  type RegisteredEmailSender,
  type RegisteredEmailTemplate,
} from '@heliograph/email-catalog';
import { renderEmailTemplate } from '@heliograph/email-text';
import { AppError } from '@heliograph/errors';
import type { IdempotentCall } from '@heliograph/idempotency';
import { Backlog } from '@heliograph/messaging';
import { METRICS } from '@heliograph/platform';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { Counter, type Registry } from 'prom-client';
import type { SentMessage } from '../sending/sent-message';
import { Acceptance, type AcceptanceRow } from './acceptance';
import { CallDelivery } from './call-delivery';
import type { SendResponse } from './records.dto';
import type { SendRequest } from './send-request';
import { answerTo } from './send-response';

interface Content {
  subject: string;
  html: string | null;
  text: string | null;
}

/** Takes a send: checks it in the contract's order, charges it, stores it, and hands it to the backend or to a later time. */
@Injectable()
export class SendService {
  private readonly accepted: Counter;

  constructor(
    @Inject(EmailCatalog) private readonly catalog: EmailCatalog,
    @Inject(WorkspaceDirectory) private readonly workspaces: WorkspaceDirectory,
    @Inject(Acceptance) private readonly acceptance: Acceptance,
    @Inject(CallDelivery) private readonly delivery: CallDelivery,
    @Inject(Backlog) private readonly backlog: Backlog,
    @Inject(METRICS) registry: Registry,
  ) {
    this.accepted = new Counter({
      name: 'email_accepted_total',
      help: 'Sends accepted and charged',
      registers: [registry],
    });
  }

  /**
   * Accepts a send, and answers once the backend has had a mail for every recipient. With a call, its Idempotency-Key is
   * claimed in the commit that charges; 'repeated' means that another process has claimed it before. Throws
   * EMAIL_SEND_FAILED when the backend refuses all of it.
   */
  async send(
    caller: Tenant,
    request: SendRequest,
    correlationId: string,
    call: IdempotentCall | null,
  ): Promise<SendResponse | 'repeated'> {
    const content = await this.contentOf(caller, request);
    if (request.scheduledAt && request.scheduledAt.date.getTime() <= Date.now()) {
      throw new AppError('INVALID_SEND_TIME', 'scheduledAt must be in the future. Leave it out to send now.');
    }
    const sender = await this.senderOf(caller, request.from);
    const workspace = await this.workspaces.sending(caller);
    this.backlog.assertRoom();
    const allowed = await this.catalog.trackingOf(workspace.id, caller.keyId);
    const sent: SentMessage = {
      id: newId(),
      organizationId: caller.organizationId,
      workspaceId: workspace.id,
      domainId: sender.domain.id,
      fromAddress: sender.address,
      fromName: request.fromName ?? sender.name,
      ...content,
      attachments: null,
      trackOpens: request.tracking.opens && allowed.opens,
      trackClicks: request.tracking.clicks && allowed.clicks,
      createdAt: `${messagingNow()}Z`,
    };
    const { outcome, balance, skipped } = await this.acceptance.accept(rowOf(sent, request, correlationId, call));
    if (outcome === 'repeated') return 'repeated';
    if (outcome === 'insufficient') {
      throw new AppError(
        'INSUFFICIENT_CREDITS',
        `This send costs a credit for each recipient and the workspace has ${balance}. Top it up, or send to fewer.`,
      );
    }
    this.accepted.inc();
    const skips = new Set(skipped);
    if (request.scheduledAt || skips.size === request.to.length) return answerTo(sent, request, skips, []);
    return answerTo(sent, request, skips, await this.delivery.deliver(sent, request.to, skips));
  }

  private async contentOf(caller: Tenant, request: SendRequest): Promise<Content> {
    const template = request.template === null ? null : await this.templateOf(caller, request.template);
    const subject = request.subject || template?.subject;
    if (!subject) throw new AppError('SUBJECT_REQUIRED', 'Give a subject, or a template that has one.');
    if (!(request.html || request.text || template?.html || template?.text)) {
      throw new AppError('BODY_REQUIRED', 'Give html or text, or a template that has a body.');
    }
    // Only what the call does not give itself is rendered: a variable of a part that is not used is not missing.
    const wanted = (['subject', 'html', 'text'] as const).filter((part) => !request[part]);
    const rendered = template && renderEmailTemplate(template.parsed, request.variables, wanted);
    return {
      subject: request.subject || rendered?.subject || '',
      html: request.html || rendered?.html || null,
      text: request.text || rendered?.text || null,
    };
  }

  private async templateOf(caller: Tenant, reference: string): Promise<RegisteredEmailTemplate> {
    const template = await this.catalog.template(caller.organizationId, reference);
    if (template) return template;
    throw new AppError(
      'INVALID_TEMPLATE',
      'template must be the id or slug of one of your templates. GET /email/templates lists them.',
    );
  }

  private async senderOf(caller: Tenant, from: string | null): Promise<RegisteredEmailSender> {
    const sender =
      from === null
        ? await this.catalog.mainSender(caller.organizationId)
        : await this.catalog.sender(caller.organizationId, from);
    if (!sender) {
      throw new AppError(
        'SENDER_NOT_VERIFIED',
        from === null
          ? 'There is no main sender to default to. Register one, or pass from.'
          : 'from is not one of your senders. GET /email/senders lists them.',
      );
    }
    if (!isSending(sender.domain, new Date())) {
      throw new AppError(
        'DOMAIN_NOT_VERIFIED',
        `The domain ${sender.domain.name} is not verified, or not any more. Publish its DNS records and verify it.`,
      );
    }
    return sender;
  }
}

function rowOf(
  sent: SentMessage,
  request: SendRequest,
  correlationId: string,
  call: IdempotentCall | null,
): AcceptanceRow {
  const scheduledAt = request.scheduledAt?.timestamp ?? null;
  return {
    id: sent.id,
    entry_id: newId(),
    organization_id: sent.organizationId,
    workspace_id: sent.workspaceId,
    domain_id: sent.domainId,
    from_address: sent.fromAddress,
    from_name: sent.fromName,
    subject: sent.subject,
    html: sent.html,
    text: sent.text,
    attachments: null,
    track_opens: sent.trackOpens,
    track_clicks: sent.trackClicks,
    recipients: request.to,
    scheduled_at: scheduledAt,
    due_at: scheduledAt,
    created_at: sent.createdAt,
    correlation_id: correlationId,
    ...(call
      ? {
          caller_id: call.callerId,
          endpoint: call.endpoint,
          idempotency_key: call.key,
          fingerprint: call.fingerprint,
        }
      : {}),
  };
}
