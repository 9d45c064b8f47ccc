import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { balanceOf } from '@heliograph/credits';
import { clientOf, newId } from '@heliograph/database';
import { addressKey, readEmailAddress } from '@heliograph/addresses';
import { AppError } from '@heliograph/errors';
import { respondOnce, IdempotencyService, type Claim } from '@heliograph/idempotency';
import { assertValidRecipient, noValidRecipient, rejectedTo, rejectionOf, Turns } from '@heliograph/service-kit';
import { DataSource } from 'typeorm';
import { AcceptService, type AcceptedSend } from '../messages/acceptance/accept.service';
import type { NewSend } from '../messages/acceptance/acceptance';
import type { Content } from '../messages/checks/send-checks';
import { V1CallService, type V1CallContent } from './v1-call.service';
import type { V1BulkResponse, V1BulkResult } from './v1-records.dto';
import { V1BulkRecipient, type V1BulkRequest } from './v1-send.dto';

/** Each email is stored with its own text and attachments, so their total size is limited. */
const MAX_STORED_CHARACTERS = 64_000_000;
/** Limit of the recipient that the result of a rejected email names, in characters. */
const MAX_TO_LENGTH = 254;

interface ValidEmail {
  id: string;
  to: string;
  content: Content;
  reference: string | null;
}

/** Sends one content to many recipients. The emails to all valid recipients are committed together. */
@Injectable()
export class V1BulkService {
  constructor(
    private readonly calls: V1CallService,
    private readonly accepts: AcceptService,
    private readonly dataSource: DataSource,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Throws the error codes of a send for the common fields, and PAYLOAD_TOO_LARGE. */
  send(caller: Tenant, request: V1BulkRequest, correlationId: string, claim: Claim | null): Promise<V1BulkResponse> {
    return this.idempotency.run(claim, async () => {
      const common = await this.calls.contentOf(caller, request);
      const { messages, valid, errors } = await this.check(common, request);
      if (valid.length === 0) throw noValidRecipient(errors);
      const call = await this.calls.begin(common, correlationId);
      const sends: NewSend[] = [];
      for (const { to, ...email } of valid) {
        sends.push(await this.calls.sendOf(call, { ...email, recipients: [to], claim: null, kind: 'bulk' }));
      }
      await this.accepts.assertRoom(caller, call.scheduledAt ? sends.length : 0);
      const response = await this.dataSource.transaction((transaction) =>
        respondOnce(transaction, claim, async () => {
          const accepted = await this.accepts.acceptAll(transaction, sends);
          const charged = recordOutcomes(sends, accepted, messages);
          return {
            id: newId(),
            accepted: sends.length,
            rejected: errors.length,
            credits_cost: charged,
            credits_remaining: await balanceOf(await clientOf(transaction), call.workspace.id, 'email'),
            messages,
          };
        }),
      );
      this.accepts.committed(sends.length);
      return response;
    });
  }

  /** Checks each recipient. `valid` has one email for each valid address, `errors` the errors of the others. */
  private async check(
    common: V1CallContent,
    { recipients, reference: commonReference, scheduled_at: scheduledAt, attachments }: V1BulkRequest,
  ): Promise<{ messages: V1BulkResult[]; valid: ValidEmail[]; errors: AppError[] }> {
    const byAddress = new Map<string, V1BulkResult>();
    const messages: V1BulkResult[] = [];
    const valid: ValidEmail[] = [];
    const errors: AppError[] = [];
    const attached = (attachments ?? []).reduce((sum, { content }) => sum + content.length, 0);
    let stored = 0;
    let shared: Content | null = null;
    const turns = new Turns();
    for (const given of recipients) {
      await turns.next();
      try {
        assertValidRecipient(given, V1BulkRecipient);
        const { variables, reference } = given;
        const to = readEmailAddress(given.to) ?? given.to;
        const key = addressKey(to);
        let result = byAddress.get(key);
        if (!result) {
          const content: Content = variables
            ? await this.calls.contentFor(common, variables)
            : (shared ??= await this.calls.contentFor(common));
          stored += charactersOf(content) + attached;
          if (stored > MAX_STORED_CHARACTERS) throw tooLarge();
          const id = newId();
          result = { to, id, status: scheduledAt ? 'scheduled' : 'queued', credits_cost: 1 };
          valid.push({ id, to, content, reference: reference ?? commonReference ?? null });
          byAddress.set(key, result);
        }
        messages.push(result);
      } catch (thrown) {
        const error = rejectionOf(thrown);
        if (error.code === 'PAYLOAD_TOO_LARGE') throw error;
        errors.push(error);
        messages.push({ to: rejectedTo(given, MAX_TO_LENGTH), error: { code: error.code, message: error.message } });
      }
    }
    return { messages, valid, errors };
  }
}

/** Marks the suppressed recipients and returns the number of charged recipients. */
function recordOutcomes(sends: NewSend[], accepted: AcceptedSend[], messages: V1BulkResult[]): number {
  const skipped = new Set(sends.filter((_send, index) => accepted[index]?.skipped.length).map(({ id }) => id));
  for (const message of messages) {
    if (message.id === undefined || !skipped.has(message.id)) continue;
    message.status = 'skipped';
    message.credits_cost = 0;
  }
  return sends.length - skipped.size;
}

function charactersOf({ subject, html, text }: Content): number {
  return subject.length + (html?.length ?? 0) + (text?.length ?? 0);
}

function tooLarge(): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    'The total size of the emails of this call exceeds 64 MB. Split the recipients into several calls.',
  );
}
