import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { balanceOf } from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { addressKey, readEmailAddress } from '@heliograph/email-address';
import { AppError } from '@heliograph/errors';
import { answerOnce, type IdempotentCall } from '@heliograph/idempotency';
import { fieldError, isJsonObject, rejectionOf, Turns } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { AcceptService, type AcceptedSend } from '../messages/accept.service';
import type { NewSend } from '../messages/acceptance';
import { recipientsFault } from '../messages/recipients';
import type { Content } from '../messages/send-checks';
import { V1CallService, type V1Call } from './v1-call.service';
import type { V1BulkResponse, V1BulkResult } from './v1-records.dto';
import { V1_SEND_RULES, type V1BulkRequest } from './v1-send.dto';

/** Each email is stored with its own text and attachments, so their total size is limited. */
const MAX_STORED_CHARACTERS = 64_000_000;

interface OneRecipient {
  to: string;
  variables?: Record<string, unknown>;
  reference?: string;
}

/** Sends one content to many recipients. The emails to all valid recipients are committed together. */
@Injectable()
export class V1BulkService {
  constructor(
    private readonly calls: V1CallService,
    private readonly accepts: AcceptService,
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
  ) {}

  /** Throws the error codes of a send for the common fields, PAYLOAD_TOO_LARGE, and AlreadyClaimedError. */
  async send(
    caller: Tenant,
    request: V1BulkRequest,
    correlationId: string,
    claim: IdempotentCall | null,
  ): Promise<V1BulkResponse> {
    const call = await this.calls.begin(caller, request, correlationId);
    const sends: NewSend[] = [];
    const messages = await this.check(call, request, sends);
    if (sends.length === 0) throw noValidRecipient(messages);
    await this.accepts.assertRoom(caller, call.scheduledAt ? sends.length : 0);
    const response = await this.dataSource.transaction((transaction) =>
      answerOnce(transaction, claim, async () => {
        const accepted = await this.accepts.acceptAll(transaction, sends);
        const charged = recordOutcomes(sends, accepted, messages);
        return {
          id: newId(),
          accepted: sends.length,
          rejected: messages.filter(({ error }) => error).length,
          credits_cost: charged,
          credits_remaining: await this.balanceWithin(transaction, call.workspace.id),
          messages,
        };
      }),
    );
    this.accepts.committed(sends.length);
    return response;
  }

  private async balanceWithin(transaction: { query(sql: string, values: unknown[]): Promise<unknown> }, id: string) {
    const rows = (await transaction.query(
      `SELECT balance FROM credits.accounts WHERE workspace_id = $1 AND credit_type = 'email'`,
      [id],
    )) as { balance: string }[];
    return rows[0] ? Number(rows[0].balance) : balanceOf(this.pool, id, 'email');
  }

  /** Adds a send for each valid address that is not repeated. */
  private async check(
    call: V1Call,
    { recipients, reference: common }: V1BulkRequest,
    sends: NewSend[],
  ): Promise<V1BulkResult[]> {
    const byAddress = new Map<string, V1BulkResult>();
    const results: V1BulkResult[] = [];
    let stored = 0;
    let shared: Content | null = null;
    const turns = new Turns();
    for (const given of recipients) {
      await turns.next();
      try {
        const { to, variables, reference } = readRecipient(given);
        const key = addressKey(to);
        let result = byAddress.get(key);
        if (!result) {
          const content: Content = variables
            ? await this.calls.contentFor(call, variables)
            : (shared ??= await this.calls.contentFor(call));
          stored += charactersOf(call, content);
          if (stored > MAX_STORED_CHARACTERS) throw tooLarge();
          const send = await this.calls.sendOf(call, {
            ...{ recipients: [to], content, reference: reference ?? common ?? null, claim: null },
          });
          sends.push(send);
          result = { to, id: send.id, status: call.scheduledAt ? 'scheduled' : 'queued', credits_cost: 1 };
          byAddress.set(key, result);
        }
        results.push(result);
      } catch (error) {
        if (error instanceof AppError && error.code === 'PAYLOAD_TOO_LARGE') throw error;
        results.push({ to: toOf(given), error: rejectionOf(error) });
      }
    }
    return results;
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

/** Throws if a field has the wrong type; null counts as absent. */
function readRecipient(given: unknown): OneRecipient {
  if (!isJsonObject(given))
    throw new AppError('INVALID_RECIPIENT', 'Each recipient must be an object with the field to.');
  const own = (name: string): unknown => (Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined);
  const to = own('to');
  const fault = Array.isArray(to) ? 'to must be a single email address.' : recipientsFault(to);
  if (fault !== null) throw new AppError('INVALID_RECIPIENT', fault);
  const recipient: Record<string, unknown> = { to: readEmailAddress(to as string) };
  for (const name of ['variables', 'reference'] as const) {
    const value = own(name);
    if (value === undefined) continue;
    const { isValid, message } = V1_SEND_RULES[name];
    if (!isValid(value)) throw new AppError('INVALID_REQUEST', message);
    recipient[name] = value;
  }
  return recipient as unknown as OneRecipient;
}

function charactersOf({ attachments }: V1Call, { subject, html, text }: Content): number {
  const attached = (attachments ?? []).reduce((sum, { contentBase64 }) => sum + contentBase64.length, 0);
  return subject.length + (html?.length ?? 0) + (text?.length ?? 0) + attached;
}

function toOf(given: unknown): string | null {
  if (!isJsonObject(given) || !Object.hasOwn(given, 'to')) return null;
  return typeof given['to'] === 'string' ? given['to'].slice(0, 254) : null;
}

function tooLarge(): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    'The total size of the emails of this call exceeds 64 MB. Split the recipients into several calls.',
  );
}

function noValidRecipient(messages: V1BulkResult[]): AppError {
  const [first] = messages;
  return fieldError(
    'INVALID_REQUEST',
    'recipients',
    `No recipient is valid. The error of the first recipient: ${first?.error?.message ?? 'unknown'}`,
  );
}
