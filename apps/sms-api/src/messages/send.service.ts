import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { messagingNow, newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { IdempotentCall } from '@heliograph/idempotency';
import { Backlog, Relay } from '@heliograph/messaging';
import { parseRecipient } from '@heliograph/phone';
import { METRICS } from '@heliograph/platform';
import { Catalog, type RegisteredSender, type RegisteredTemplate } from '@heliograph/sms-catalog';
import { composeMessage } from '@heliograph/sms-text';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { Counter, type Registry } from 'prom-client';
import type { SmsApiSettings } from '../sms-api.config';
import { SMS_API_SETTINGS } from '../sms-api.tokens';
import { Acceptance } from './acceptance';
import type { SendResponse } from './message-records.dto';
import type { SendRequest } from './send-request.dto';

const NO_VARIABLES: ReadonlyMap<string, string> = new Map();

/** Takes a message: checks it in the contract's order, charges it, stores it. Sending comes after the answer. */
@Injectable()
export class SendService {
  private readonly accepted: Counter;

  constructor(
    @Inject(Catalog) private readonly catalog: Catalog,
    @Inject(WorkspaceDirectory) private readonly workspaces: WorkspaceDirectory,
    @Inject(Acceptance) private readonly acceptance: Acceptance,
    @Inject(Relay) private readonly relay: Relay,
    @Inject(Backlog) private readonly backlog: Backlog,
    @Inject(SMS_API_SETTINGS) private readonly settings: SmsApiSettings,
    @Inject(METRICS) registry: Registry,
  ) {
    this.accepted = new Counter({
      name: 'sms_accepted_total',
      help: 'Messages accepted and charged',
      registers: [registry],
    });
  }

  /**
   * Accepts a message. With a call, its Idempotency-Key is claimed in the same commit; 'repeated' means that another
   * process has claimed it before.
   */
  async send(
    caller: Tenant,
    request: SendRequest,
    correlationId: string,
    call: IdempotentCall | null,
  ): Promise<SendResponse | 'repeated'> {
    const sender = await this.senderOf(caller, request.from);
    const template = await this.templateOf(caller, sender, request.template);
    this.assertRegistered(sender, template);
    const recipient = request.to === undefined ? null : parseRecipient(request.to);
    if (recipient?.country !== sender.onboarding.country) throw wrongRecipient(sender.onboarding.country);
    const composed = composeMessage(template.parsed, request.variables ?? NO_VARIABLES, request.message);
    const scheduledAt = request.scheduledAt ?? null;
    if (scheduledAt && scheduledAt.date.getTime() <= Date.now()) {
      throw new AppError('SCHEDULED_AT_IN_PAST', 'scheduledAt must be in the future. Leave it out to send now.');
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
      ...(call
        ? {
            caller_id: call.callerId,
            endpoint: call.endpoint,
            idempotency_key: call.key,
            fingerprint: call.fingerprint,
            answer: response,
          }
        : {}),
    });
    if (outcome === 'repeated') return 'repeated';
    if (outcome === 'insufficient') {
      throw new AppError(
        'INSUFFICIENT_CREDITS',
        `This message costs ${creditsCost} credits and the workspace has ${balance}. Top it up.`,
      );
    }
    this.accepted.inc();
    if (!scheduledAt) this.relay.wake();
    response.creditsRemaining = balance;
    return response;
  }

  private async senderOf(caller: Tenant, reference: string | undefined): Promise<RegisteredSender> {
    const sender = reference ? await this.catalog.sender(caller.organizationId, reference) : null;
    if (!sender) {
      throw new AppError(
        'INVALID_SENDER',
        'from must be the id or header of one of your senders. GET /sms/senders lists them.',
      );
    }
    if (!sender.isActive)
      throw new AppError('SENDER_INACTIVE', 'This sender is not active. Activate it or choose another.');
    if (sender.onboarding.status !== 'approved') {
      throw new AppError(
        'ONBOARDING_NOT_APPROVED',
        `The onboarding of this sender for ${sender.onboarding.country} is not approved yet.`,
      );
    }
    return sender;
  }

  private async templateOf(
    caller: Tenant,
    sender: RegisteredSender,
    reference: string | undefined,
  ): Promise<RegisteredTemplate> {
    if (reference === undefined) return this.onlyTemplateOf(caller, sender);
    const template = await this.catalog.template(caller.organizationId, reference, sender.onboardingId);
    if (!template) {
      throw new AppError(
        'INVALID_TEMPLATE',
        'template must be the id or name of one of your templates. GET /sms/templates lists them.',
      );
    }
    if (!template.isActive)
      throw new AppError('TEMPLATE_INACTIVE', 'This template is not active. Activate it or choose another.');
    if (template.onboardingId !== sender.onboardingId) {
      throw new AppError(
        'SENDER_TEMPLATE_MISMATCH',
        'Sender and template belong to different onboardings. Choose both from one.',
      );
    }
    return template;
  }

  private async onlyTemplateOf(caller: Tenant, sender: RegisteredSender): Promise<RegisteredTemplate> {
    const [only, another] = await this.catalog.activeTemplatesOf(caller.organizationId, sender.onboardingId);
    if (!only)
      throw new AppError('TEMPLATE_REQUIRED', 'This sender has no active template to default to. Pass template.');
    if (another) throw new AppError('TEMPLATE_AMBIGUOUS', 'This sender has several active templates. Pass template.');
    return only;
  }

  private assertRegistered(sender: RegisteredSender, template: RegisteredTemplate): void {
    const { country } = sender.onboarding;
    if (!this.settings.SMS_DLT_COUNTRIES.has(country)) return;
    if (!sender.dltSenderId)
      throw new AppError('DLT_SENDER_REQUIRED', `${country} needs a DLT sender id on the sender. Register it first.`);
    if (!template.dltTemplateId) {
      throw new AppError(
        'DLT_TEMPLATE_REQUIRED',
        `${country} needs a DLT template id on the template. Register it first.`,
      );
    }
  }
}

function wrongRecipient(country: string): AppError {
  return new AppError(
    'INVALID_RECIPIENT',
    `to must be a valid number of ${country} in E.164, such as +919876543210, without blanks or dashes.`,
  );
}
