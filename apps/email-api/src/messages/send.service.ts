import { Inject, Injectable } from '@nestjs/common';
import { originOf, type Tenant } from '@heliograph/auth';
import { messagingNow, newId } from '@heliograph/database';
import { EmailCatalog, unsubscribeScopeOf } from '@heliograph/email-catalog';
import { readEmailAddress } from '@heliograph/addresses';
import { AppError } from '@heliograph/errors';
import { IdempotencyService, type Claim } from '@heliograph/idempotency';
import { LOGGER, parseScheduledAt, type Logger } from '@heliograph/service-kit';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import type { SentMessage } from '../sending/sent-message';
import { AcceptService } from './acceptance/accept.service';
import { CallDelivery } from './call-delivery';
import { toNewSend } from './acceptance/new-send';
import type { SendResponse } from './records.dto';
import { uniqueRecipients } from './checks/recipients';
import { SendChecks } from './checks/send-checks';
import { SendResponses } from './send-responses';
import type { SendRequest } from './send-request.dto';
import { failureOf, responseTo, type SendOutcome } from './send-response';

/** Validates a send in the order of the contract, charges it, stores it, and delivers or schedules it. */
@Injectable()
export class SendService {
  constructor(
    private readonly catalog: EmailCatalog,
    private readonly workspaces: WorkspaceDirectory,
    private readonly checks: SendChecks,
    private readonly accepts: AcceptService,
    private readonly delivery: CallDelivery,
    private readonly idempotency: IdempotencyService,
    private readonly answers: SendResponses,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Accepts a send and resolves after the backend has responded for every recipient or the deadline has passed. The claim
   * of its Idempotency-Key is committed with the charge. Throws the error codes of a send.
   */
  send(caller: Tenant, request: SendRequest, correlationId: string, claim: Claim | null): Promise<SendResponse> {
    return this.idempotency.run(
      claim,
      async () => {
        const template = request.template ? await this.checks.findTemplate(caller, request.template) : null;
        const content = this.checks.contentOf(request, template);
        const scheduledAt = request.scheduledAt ? parseScheduledAt(request.scheduledAt) : null;
        if (scheduledAt && scheduledAt.date.getTime() <= Date.now()) {
          throw new AppError('INVALID_SEND_TIME', 'scheduledAt must be in the future. Omit it to send immediately.');
        }
        const sender = await this.checks.findSender(caller, request.from ? readEmailAddress(request.from) : null);
        const workspace = await this.workspaces.sending(caller);
        await this.accepts.assertRoom(caller, scheduledAt ? 1 : 0);
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
          replyTo: null,
          headers: null,
          shownRecipients: null,
          trackOpens: (request.tracking?.opens ?? true) && allowed.opens,
          trackClicks: (request.tracking?.clicks ?? true) && allowed.clicks,
          unsubscribeScope: unsubscribeScopeOf(request.unsubscribeScope, template),
          createdAt: `${messagingNow()}Z`,
          correlationId,
        };
        const to = uniqueRecipients(request.to);
        const recipients = await this.checks.maskErased(caller.organizationId, to);
        const dueAt = scheduledAt && scheduledAt.timestamp;
        const kind = to.length === 1 ? 'single' : 'bulk';
        const origin = originOf(caller);
        const { skipped } = await this.accepts.accept(
          toNewSend(sent, { recipients, scheduledAt: dueAt, dueAt, origin, claim, kind }),
        );
        const skips = new Set(skipped);
        const results = scheduledAt || skips.size === to.length ? [] : await this.delivery.deliver(sent, to, skips);
        return this.respond(sent, { to, scheduledAt: dueAt && dueAt.slice(0, -1), skipped: skips, results }, claim);
      },
      this.answers,
    );
  }

  /** Stores the response under the Idempotency-Key, or releases the key if everything was refused and refunded. */
  private async respond(sent: SentMessage, outcome: SendOutcome, claim: Claim | null): Promise<SendResponse> {
    const response = responseTo(sent, outcome);
    const failure = failureOf(response);
    if (failure) {
      if (claim) await this.idempotency.release(claim, sent.id);
      throw failure;
    }
    if (claim) {
      await this.idempotency.storeResponse(claim, response).catch((error: unknown) => {
        // The mail has been sent. The response to a repeated request is derived from the stored send.
        this.log.warn({ err: error }, 'failed to store the response of an idempotent send');
      });
    }
    return response;
  }
}
