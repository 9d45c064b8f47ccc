import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { messagingNow, newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { AlreadyClaimedError, type IdempotentCall } from '@heliograph/idempotency';
import { Backlog, Relay } from '@heliograph/messaging';
import { exampleNumberOf, parseRecipient } from '@heliograph/phone';
import { CONFIG, METRICS, parseScheduledAt } from '@heliograph/service-kit';
import { Catalog, type RegisteredSender, type RegisteredTemplate } from '@heliograph/sms-catalog';
import { composeMessage } from '@heliograph/sms-text';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { Counter, type Registry } from 'prom-client';
import type { SmsApiConfig } from '../sms-api.config';
import { Acceptance } from './acceptance';
import type { SendResponse } from './message-records.dto';
import type { SendRequest } from './send-request.dto';

/** Checks a message in the order of the contract, charges it and stores it. A worker submits it after the response. */
@Injectable()
export class SendService {
  private readonly accepted: Counter;

  constructor(
    private readonly catalog: Catalog,
    private readonly workspaces: WorkspaceDirectory,
    private readonly acceptance: Acceptance,
    private readonly relay: Relay,
    private readonly backlog: Backlog,
    @Inject(CONFIG) private readonly config: SmsApiConfig,
    @Inject(METRICS) registry: Registry,
  ) {
    this.accepted = new Counter({
      name: 'sms_accepted_total',
      help: 'Messages accepted and charged',
      registers: [registry],
    });
  }

  /**
   * Accepts a message. The claim of its Idempotency-Key is committed with it. Throws the error codes of a send, and
   * AlreadyClaimedError when another process has committed the claim.
   */
  async send(
    caller: Tenant,
    request: SendRequest,
    correlationId: string,
    claim: IdempotentCall | null,
  ): Promise<SendResponse> {
    const sender = await this.findSender(caller, request.from);
    const template = await this.findTemplate(caller, sender, request.template);
    this.assertDltIds(sender, template);
    const recipient = request.to === undefined ? null : parseRecipient(request.to);
    if (recipient?.country !== sender.onboarding.country) throw invalidRecipient(sender.onboarding.country);
    const composed = composeMessage(template.parsed, variablesAsText(request), request.message);
    const scheduledAt = request.scheduledAt === undefined ? null : parseScheduledAt(request.scheduledAt);
    if (scheduledAt && scheduledAt.date.getTime() <= Date.now()) {
      throw new AppError('SCHEDULED_AT_IN_PAST', 'scheduledAt must be in the future. Omit it to send immediately.');
    }
    const workspace = await this.workspaces.sending(caller);
    this.backlog.assertRoom();
    const creditsCost = composed.segments * (await this.catalog.rateOf(recipient.country));
    const createdAt = messagingNow();
    const response: SendResponse = {
      ok: true,
      status: scheduledAt ? 'scheduled' : 'queued',
      messageId: newId(),
      to: recipient.e164,
      from: sender.header,
      senderId: sender.id,
      templateId: template.id,
      renderedBody: composed.body,
      encoding: composed.encoding,
      segments: composed.segments,
      creditsCost,
      creditsRemaining: 0,
      flash: request.flash ?? false,
      scheduledAt: scheduledAt && scheduledAt.timestamp.slice(0, -1),
      createdAt,
    };
    const { outcome, balance } = await this.acceptance.accept({
      id: response.messageId,
      entry_id: newId(),
      organization_id: caller.organizationId,
      workspace_id: workspace.id,
      sender_id: sender.id,
      template_id: template.id,
      header: sender.header,
      recipient: recipient.e164,
      country: recipient.country,
      body: composed.body,
      encoding: composed.encoding,
      segments: composed.segments,
      credits_cost: creditsCost,
      flash: response.flash,
      dlt_entity_id: sender.onboarding.dltEntityId,
      dlt_template_id: template.dltTemplateId,
      scheduled_at: scheduledAt && scheduledAt.timestamp,
      created_at: `${createdAt}Z`,
      correlation_id: correlationId,
      ...(claim
        ? {
            caller_id: claim.callerId,
            endpoint: claim.endpoint,
            idempotency_key: claim.key,
            fingerprint: claim.fingerprint,
            answer: response,
          }
        : {}),
    });
    if (outcome === 'repeated') throw new AlreadyClaimedError();
    if (outcome === 'insufficient') {
      throw new AppError(
        'INSUFFICIENT_CREDITS',
        `This message costs ${creditsCost} credits, but the workspace has only ${balance}. Top up the workspace.`,
      );
    }
    this.accepted.inc();
    if (!scheduledAt) this.relay.wake();
    response.creditsRemaining = balance;
    return response;
  }

  private async findSender(caller: Tenant, reference: string | undefined): Promise<RegisteredSender> {
    const sender = reference ? await this.catalog.sender(caller.organizationId, reference) : null;
    if (!sender) {
      throw new AppError(
        'INVALID_SENDER',
        'from must be the id or header of one of your senders. GET /sms/senders lists them.',
      );
    }
    if (!sender.isActive)
      throw new AppError('SENDER_INACTIVE', 'This sender is inactive. Activate it or use another sender.');
    if (sender.onboarding.status !== 'approved') {
      throw new AppError(
        'ONBOARDING_NOT_APPROVED',
        `The onboarding of this sender for ${sender.onboarding.country} is not approved yet.`,
      );
    }
    return sender;
  }

  private async findTemplate(
    caller: Tenant,
    sender: RegisteredSender,
    reference: string | undefined,
  ): Promise<RegisteredTemplate> {
    if (reference === undefined) return this.findDefaultTemplate(caller, sender);
    const template = await this.catalog.template(caller.organizationId, reference, sender.onboardingId);
    if (!template) {
      throw new AppError(
        'INVALID_TEMPLATE',
        'template must be the id or name of one of your templates. GET /sms/templates lists them.',
      );
    }
    if (!template.isActive)
      throw new AppError('TEMPLATE_INACTIVE', 'This template is inactive. Activate it or use another template.');
    if (template.onboardingId !== sender.onboardingId) {
      throw new AppError(
        'SENDER_TEMPLATE_MISMATCH',
        'The sender and the template belong to different onboardings. Use a template of the onboarding of the sender.',
      );
    }
    return template;
  }

  private async findDefaultTemplate(caller: Tenant, sender: RegisteredSender): Promise<RegisteredTemplate> {
    const [only, another] = await this.catalog.activeTemplatesOf(caller.organizationId, sender.onboardingId);
    if (!only)
      throw new AppError('TEMPLATE_REQUIRED', 'template is required because this sender has no active template.');
    if (another)
      throw new AppError(
        'TEMPLATE_AMBIGUOUS',
        'template is required because this sender has several active templates.',
      );
    return only;
  }

  private assertDltIds(sender: RegisteredSender, template: RegisteredTemplate): void {
    const { country } = sender.onboarding;
    if (!this.config.SMS_DLT_COUNTRIES.has(country)) return;
    if (!sender.dltSenderId)
      throw new AppError('DLT_SENDER_REQUIRED', `${country} requires a DLT sender id. Register the sender first.`);
    if (!template.dltTemplateId) {
      throw new AppError(
        'DLT_TEMPLATE_REQUIRED',
        `${country} requires a DLT template id. Register the template first.`,
      );
    }
  }
}

function variablesAsText({ variables }: SendRequest): ReadonlyMap<string, string> {
  return new Map([...(variables ?? [])].map(([token, value]) => [token, String(value)]));
}

function invalidRecipient(country: string): AppError {
  const example = exampleNumberOf(country);
  return new AppError(
    'INVALID_RECIPIENT',
    `to must be a valid phone number of ${country} in E.164 format${example ? `, such as ${example},` : ''} without spaces or dashes.`,
  );
}
