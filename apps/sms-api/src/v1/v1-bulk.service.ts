import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { REAL_SEND } from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { IdempotencyService, type Claim } from '@heliograph/idempotency';
import { assertValidRecipient, noValidRecipient, rejectedTo, rejectionOf, Turns } from '@heliograph/service-kit';
import { AcceptService } from '../messages/accept.service';
import { toAcceptanceRow, withClaim } from '../messages/accepted-message';
import { MessageChecks } from '../messages/message-checks';
import { V1ContentService, type CommonContent, type ComposedContent } from './v1-content.service';
import { V1BulkRecipient, type V1BulkRequest, type V1BulkResponse, type V1BulkResult } from './v1-send.dto';
import { messageOf, V1SendService } from './v1-send.service';

/** Maximum length of `to` in the result of a rejected recipient, in characters. */
const MAX_TO_LENGTH = 100;

interface ValidMessage {
  id: string;
  content: ComposedContent;
  reference: string | null | undefined;
}

/** Sends one content to many recipients. The messages to all valid recipients are committed together. */
@Injectable()
export class V1BulkService {
  constructor(
    private readonly sends: V1SendService,
    private readonly contents: V1ContentService,
    private readonly checks: MessageChecks,
    private readonly accepts: AcceptService,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Throws the error codes of a send for the common fields. */
  send(caller: Tenant, request: V1BulkRequest, correlationId: string, claim: Claim | null): Promise<V1BulkResponse> {
    return this.idempotency.run(claim, async () => {
      const common = await this.contents.common(caller, request, { ownMessages: true });
      await this.contents.assertCommonText(caller, common);
      const scheduledAt = this.sends.scheduleOf(request, REAL_SEND);
      const { messages, valid, errors } = await this.check(caller, request, common);
      if (valid.length === 0) throw noValidRecipient(errors);
      const call = await this.sends.begin(caller, request, { correlationId, scheduledAt, progress: REAL_SEND });
      const rows = valid.map(({ id, content, reference }) =>
        toAcceptanceRow(id, messageOf(call, content, reference), 'bulk'),
      );
      await this.accepts.assertRoom(caller, scheduledAt ? rows.length : 0);
      const response: V1BulkResponse = {
        id: newId(),
        accepted: rows.length,
        rejected: errors.length,
        credits_cost: rows.reduce((sum, { credits_cost }) => sum + credits_cost, 0),
        credits_remaining: 0,
        messages,
      };
      const last = rows.length - 1;
      const claimed = rows.map((row, index) => (index === last ? withClaim(row, claim, response) : row));
      response.credits_remaining = await this.accepts.acceptAll(claimed);
      return response;
    });
  }

  /** Checks each recipient. `valid` has one message for each valid number, `errors` the errors of the others. */
  private async check(
    caller: Tenant,
    { recipients, reference: commonReference, scheduled_at: scheduledAt }: V1BulkRequest,
    common: CommonContent,
  ): Promise<{ messages: V1BulkResult[]; valid: ValidMessage[]; errors: AppError[] }> {
    const byNumber = new Map<string, V1BulkResult>();
    const messages: V1BulkResult[] = [];
    const valid: ValidMessage[] = [];
    const errors: AppError[] = [];
    const turns = new Turns();
    for (const given of recipients) {
      await turns.next();
      try {
        assertValidRecipient(given, V1BulkRecipient);
        const content = await this.contents.compose(caller, common, given);
        await this.checks.refuseErased(caller, content.recipient);
        const to = content.recipient.e164;
        let result = byNumber.get(to);
        if (!result) {
          const id = newId();
          valid.push({ id, content, reference: given.reference ?? commonReference });
          const { segments } = content.composed;
          const status = scheduledAt ? 'scheduled' : 'queued';
          result = { to, id, status, segments, credits_cost: content.creditsCost };
          byNumber.set(to, result);
        }
        messages.push(result);
      } catch (thrown) {
        const error = rejectionOf(thrown);
        errors.push(error);
        messages.push({ to: rejectedTo(given, MAX_TO_LENGTH), error: { code: error.code, message: error.message } });
      }
    }
    return { messages, valid, errors };
  }
}
