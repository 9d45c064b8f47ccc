import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { IdempotentCall } from '@heliograph/idempotency';
import { fieldError, isJsonObject, rejectionOf, Turns } from '@heliograph/service-kit';
import { AcceptService } from '../messages/accept.service';
import type { AcceptanceRow } from '../messages/acceptance';
import { toAcceptanceRow, withClaim } from '../messages/accepted-message';
import type { OneRecipient } from './v1-content.service';
import { V1_SEND_RULES, type V1BulkRequest, type V1BulkResponse, type V1BulkResult } from './v1-send.dto';
import { V1SendService, type V1Call } from './v1-send.service';

const OPTIONAL_FIELDS = ['variables', 'message', 'reference'] as const;

/** Sends one content to many recipients. The messages to all valid recipients are committed together. */
@Injectable()
export class V1BulkService {
  constructor(
    private readonly sends: V1SendService,
    private readonly accepts: AcceptService,
  ) {}

  /** Throws the error codes of a send for the common fields, and AlreadyClaimedError. */
  async send(
    caller: Tenant,
    request: V1BulkRequest,
    correlationId: string,
    claim: IdempotentCall | null,
  ): Promise<V1BulkResponse> {
    const call = await this.sends.begin(caller, request, correlationId, { ownMessages: true });
    const rows: AcceptanceRow[] = [];
    const messages = await this.check(call, request, rows);
    const [last] = rows.slice(-1);
    if (!last) throw noValidRecipient(messages);
    await this.accepts.assertRoom(caller, call.scheduledAt ? rows.length : 0);
    const response: V1BulkResponse = {
      id: newId(),
      accepted: rows.length,
      rejected: messages.filter(({ error }) => error).length,
      credits_cost: rows.reduce((sum, { credits_cost }) => sum + credits_cost, 0),
      credits_remaining: 0,
      messages,
    };
    rows[rows.length - 1] = withClaim(last, claim, response);
    response.credits_remaining = await this.accepts.acceptAll(rows);
    return response;
  }

  /** Adds a row for each valid number that is not repeated. */
  private async check(
    call: V1Call,
    { recipients, reference }: V1BulkRequest,
    rows: AcceptanceRow[],
  ): Promise<V1BulkResult[]> {
    const byNumber = new Map<string, V1BulkResult>();
    const results: V1BulkResult[] = [];
    const turns = new Turns();
    for (const given of recipients) {
      await turns.next();
      try {
        const message = await this.sends.check(call, { reference: reference ?? undefined, ...readRecipient(given) });
        const to = message.recipient.e164;
        let result = byNumber.get(to);
        if (!result) {
          const row = toAcceptanceRow(newId(), message);
          rows.push(row);
          const status = call.scheduledAt ? 'scheduled' : 'queued';
          result = { to, id: row.id, status, segments: row.segments, credits_cost: row.credits_cost };
          byNumber.set(to, result);
        }
        results.push(result);
      } catch (error) {
        results.push({ to: toOf(given), error: rejectionOf(error) });
      }
    }
    return results;
  }
}

/** Throws if a field has the wrong type; null counts as absent. */
function readRecipient(given: unknown): OneRecipient {
  if (!isJsonObject(given))
    throw new AppError('INVALID_RECIPIENT', 'Each recipient must be an object with the field to.');
  const own = (name: string): unknown => (Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined);
  const recipient: Record<string, unknown> = { to: own('to') };
  if (!V1_SEND_RULES.to.isValid(recipient['to'])) throw ruleViolation('to');
  for (const name of OPTIONAL_FIELDS) {
    const value = own(name);
    if (value === undefined) continue;
    if (!V1_SEND_RULES[name].isValid(value)) throw ruleViolation(name);
    recipient[name] = value;
  }
  return recipient as unknown as OneRecipient;
}

function ruleViolation(name: keyof typeof V1_SEND_RULES): AppError {
  const { code, message } = V1_SEND_RULES[name];
  return new AppError(code, message);
}

function toOf(given: unknown): unknown {
  if (!isJsonObject(given)) return null;
  const to = Object.hasOwn(given, 'to') ? given['to'] : null;
  return typeof to === 'string' ? to.slice(0, 100) : null;
}

function noValidRecipient(messages: V1BulkResult[]): AppError {
  const [first] = messages;
  return fieldError(
    'INVALID_REQUEST',
    'recipients',
    `No recipient is valid. The error of the first recipient: ${first?.error?.message ?? 'unknown'}`,
  );
}
