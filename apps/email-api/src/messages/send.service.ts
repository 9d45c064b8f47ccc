import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { messagingNow, newId } from '@heliograph/database';
import {
  EmailCatalog,
  isSending,
  type RegisteredEmailSender,
  type RegisteredEmailTemplate,
} from '@heliograph/email-catalog';
import { readEmailAddress } from '@heliograph/email-address';
import { renderEmailTemplate } from '@heliograph/email-text';
import { AppError } from '@heliograph/errors';
import { AlreadyClaimedError, IdempotencyService, type IdempotentCall } from '@heliograph/idempotency';
import { Backlog } from '@heliograph/messaging';
import { LOGGER, METRICS, parseScheduledAt, type Logger } from '@heliograph/service-kit';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { Counter, type Registry } from 'prom-client';
import type { SentMessage } from '../sending/sent-message';
import { Acceptance, type NewSend } from './acceptance';
import { CallDelivery } from './call-delivery';
import type { SendResponse } from './records.dto';
import { uniqueRecipients } from './recipients';
import type { SendRequest } from './send-request.dto';
import { failureOf, responseTo, type SendOutcome } from './send-response';

interface Content {
  subject: string;
  html: string | null;
  text: string | null;
}

/** Validates a send in the order of the contract, charges it, stores it, and delivers or schedules it. */
@Injectable()
export class SendService {
  private readonly accepted: Counter;

  constructor(
    private readonly catalog: EmailCatalog,
    private readonly workspaces: WorkspaceDirectory,
    private readonly acceptance: Acceptance,
    private readonly delivery: CallDelivery,
    private readonly backlog: Backlog,
    private readonly idempotency: IdempotencyService,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.accepted = new Counter({
      name: 'email_accepted_total',
      help: 'Sends accepted and charged',
      registers: [registry],
    });
  }

  /**
   * Accepts a send and resolves after the backend has responded for every recipient or the deadline has passed. The claim
   * of its Idempotency-Key is committed with the charge. Throws the error codes of a send, and AlreadyClaimedError when
   * another process has committed the claim.
   */
  async send(
    caller: Tenant,
    request: SendRequest,
    correlationId: string,
    claim: IdempotentCall | null,
  ): Promise<SendResponse> {
    const content = await this.resolveContent(caller, request);
    const scheduledAt = request.scheduledAt ? parseScheduledAt(request.scheduledAt) : null;
    if (scheduledAt && scheduledAt.date.getTime() <= Date.now()) {
      throw new AppError('INVALID_SEND_TIME', 'scheduledAt must be in the future. Omit it to send immediately.');
    }
    const sender = await this.findSender(caller, request.from ? readEmailAddress(request.from) : null);
    const workspace = await this.workspaces.sending(caller);
    this.backlog.assertRoom();
    const allowed = await this.catalog.trackingOf(workspace.id, caller.keyId);
    const sent: SentMessage = {
      id: newId(),
      organizationId: caller.organizationId,
      workspaceId: workspace.id,
      domainId: sender.domain.id,
      fromAddress: sender.address,
      fromName: request.fromName || sender.name,
      ...content,
      attachments: null,
      trackOpens: (request.tracking?.opens ?? true) && allowed.opens,
      trackClicks: (request.tracking?.clicks ?? true) && allowed.clicks,
      createdAt: `${messagingNow()}Z`,
    };
    const to = uniqueRecipients(request.to);
    const dueAt = scheduledAt && scheduledAt.timestamp;
    const { outcome, balance, skipped } = await this.acceptance.accept(
      rowOf(sent, { to, dueAt, correlationId, claim }),
    );
    if (outcome === 'repeated') throw new AlreadyClaimedError();
    if (outcome === 'insufficient') {
      throw new AppError(
        'INSUFFICIENT_CREDITS',
        `A send costs one credit per recipient, but the workspace has only ${balance}. Top up the workspace or reduce the recipients.`,
      );
    }
    this.accepted.inc();
    const skips = new Set(skipped);
    const results = scheduledAt || skips.size === to.length ? [] : await this.delivery.deliver(sent, to, skips);
    return this.respond(sent, { to, scheduledAt: dueAt && dueAt.slice(0, -1), skipped: skips, results }, claim);
  }

  /** Stores the response under the Idempotency-Key, or releases the key if everything was refused and refunded. */
  private async respond(sent: SentMessage, outcome: SendOutcome, claim: IdempotentCall | null): Promise<SendResponse> {
    const response = responseTo(sent, outcome);
    const failure = failureOf(response);
    if (failure) {
      if (claim) await this.idempotency.release(claim, sent.id);
      throw failure;
    }
    if (claim) {
      await this.idempotency.storeAnswer(claim, response).catch((error: unknown) => {
        // The mail has been sent. A repeated request gets a response from the stored send.
        this.log.warn({ err: error }, 'failed to store the response of an idempotent send');
      });
    }
    return response;
  }

  private async resolveContent(caller: Tenant, request: SendRequest): Promise<Content> {
    const template = request.template ? await this.findTemplate(caller, request.template) : null;
    const subject = request.subject || template?.subject;
    if (!subject) throw new AppError('SUBJECT_REQUIRED', 'subject is required unless the template has a subject.');
    if (!(request.html || request.text || template?.html || template?.text)) {
      throw new AppError('BODY_REQUIRED', 'html or text is required unless the template has a body.');
    }
    // Only parts missing in the request are rendered, so that unused parts do not require variables.
    const wanted = (['subject', 'html', 'text'] as const).filter((part) => !request[part]);
    const rendered = template && renderEmailTemplate(template.parsed, request.variables ?? {}, wanted);
    return {
      subject: request.subject || rendered?.subject || '',
      html: request.html || rendered?.html || null,
      text: request.text || rendered?.text || null,
    };
  }

  private async findTemplate(caller: Tenant, reference: string): Promise<RegisteredEmailTemplate> {
    const template = await this.catalog.template(caller.organizationId, reference);
    if (template) return template;
    throw new AppError(
      'INVALID_TEMPLATE',
      'template must be the id or slug of one of your templates. GET /email/templates lists them.',
    );
  }

  private async findSender(caller: Tenant, from: string | null): Promise<RegisteredEmailSender> {
    const sender =
      from === null
        ? await this.catalog.mainSender(caller.organizationId)
        : await this.catalog.sender(caller.organizationId, from);
    if (!sender) {
      throw new AppError(
        'SENDER_NOT_VERIFIED',
        from === null
          ? 'from is required because the organization has no main sender.'
          : 'from is not one of your senders. GET /email/senders lists them.',
      );
    }
    if (!isSending(sender.domain, new Date())) {
      throw new AppError(
        'DOMAIN_NOT_VERIFIED',
        `The domain ${sender.domain.name} is not verified. Publish its DNS records and verify it.`,
      );
    }
    return sender;
  }
}

function rowOf(
  sent: SentMessage,
  request: { to: string[]; dueAt: string | null; correlationId: string; claim: IdempotentCall | null },
): NewSend {
  const { to, dueAt, correlationId, claim } = request;
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
    recipients: to,
    scheduled_at: dueAt,
    due_at: dueAt,
    created_at: sent.createdAt,
    correlation_id: correlationId,
    ...(claim
      ? {
          caller_id: claim.callerId,
          endpoint: claim.endpoint,
          idempotency_key: claim.key,
          fingerprint: claim.fingerprint,
        }
      : {}),
  };
}
