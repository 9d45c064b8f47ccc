import { Injectable } from '@nestjs/common';
import { originOf, type Tenant } from '@heliograph/auth';
import { messagingNow, newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { IdempotencyService, type Claim } from '@heliograph/idempotency';
import { parseScheduledAt } from '@heliograph/service-kit';
import { Catalog, type RegisteredSender, type RegisteredTemplate } from '@heliograph/sms-catalog';
import { composeMessage } from '@heliograph/sms-text';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { AcceptService } from './accept.service';
import { toAcceptanceRow, withClaim, type CheckedMessage } from './accepted-message';
import { MessageChecks } from './message-checks';
import type { SendResponse } from './message-records.dto';
import type { SendRequest } from './send-request.dto';

/** Checks a message in the order of the contract, charges it and stores it. A worker submits it after the response. */
@Injectable()
export class SendService {
  constructor(
    private readonly catalog: Catalog,
    private readonly workspaces: WorkspaceDirectory,
    private readonly checks: MessageChecks,
    private readonly sends: AcceptService,
    private readonly idempotency: IdempotencyService,
  ) {}

  /**
   * Accepts a message. The claim of its Idempotency-Key is committed with it. Throws the error codes of a send.
   */
  send(caller: Tenant, request: SendRequest, correlationId: string, claim: Claim | null): Promise<SendResponse> {
    return this.idempotency.run(claim, async () => {
      const sender = await this.checks.findSender(caller, request.from);
      const template = await this.findTemplate(caller, sender, request.template);
      this.checks.assertDltIds(sender, template);
      const recipient = this.checks.recipientOf(sender, request.to);
      const composed = composeMessage(template.parsed, variablesAsText(request), request.message);
      const scheduledAt = request.scheduledAt === undefined ? null : parseScheduledAt(request.scheduledAt);
      if (scheduledAt && scheduledAt.date.getTime() <= Date.now()) {
        throw new AppError('SCHEDULED_AT_IN_PAST', 'scheduledAt must be in the future. Omit it to send immediately.');
      }
      const workspace = await this.workspaces.sending(caller);
      await this.checks.refuseErased(caller, recipient);
      await this.sends.assertRoom(caller, scheduledAt ? 1 : 0);
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
      const message: CheckedMessage = {
        organizationId: caller.organizationId,
        workspaceId: workspace.id,
        sender,
        template,
        recipient,
        composed,
        creditsCost,
        createdAt,
        correlationId,
        origin: originOf(caller),
        flash: response.flash,
        scheduledAt: scheduledAt && scheduledAt.timestamp,
        reference: null,
      };
      const row = withClaim(toAcceptanceRow(response.messageId, message, 'single'), claim, response);
      response.creditsRemaining = await this.sends.accept(row);
      return response;
    });
  }

  private async findTemplate(
    caller: Tenant,
    sender: RegisteredSender,
    reference: string | undefined,
  ): Promise<RegisteredTemplate> {
    if (reference === undefined) return this.findDefaultTemplate(caller, sender);
    return this.checks.findTemplate(caller, sender, reference);
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
}

function variablesAsText({ variables }: SendRequest): ReadonlyMap<string, string> {
  return new Map([...(variables ?? [])].map(([token, value]) => [token, String(value)]));
}
