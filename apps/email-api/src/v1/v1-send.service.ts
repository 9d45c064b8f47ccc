import { Inject, Injectable } from '@nestjs/common';
import { assertRole, assertScope, type Tenant } from '@heliograph/auth';
import type { JobKind } from '@heliograph/contracts';
import {
  balanceOf,
  quoteOf,
  SEND_CHECKS,
  type QuoteProgress,
  type QuotedSend,
  type V1Quote,
} from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { IdempotencyService, type Claim, type PendingResponses } from '@heliograph/idempotency';
import { Admission, fieldError, LOGGER, type Logger } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { AcceptService } from '../messages/acceptance/accept.service';
import { mailRecipients, MAX_SHARED_RECIPIENTS, type MailRecipients } from '../messages/checks/recipients';
import { V1CallService } from './v1-call.service';
import { V1MessagesRepository } from './v1-messages.repository';
import type { V1EmailDetails, V1SentEmail } from './v1-records.dto';
import type { V1SendRequest } from './v1-send.dto';

/** Accepts sends of the v1 API. A worker submits them to the mail server. */
@Injectable()
export class V1SendService implements PendingResponses<V1SentEmail> {
  constructor(
    private readonly calls: V1CallService,
    private readonly accepts: AcceptService,
    private readonly messages: V1MessagesRepository,
    private readonly idempotency: IdempotencyService,
    private readonly pool: Pool,
    private readonly admission: Admission,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Accepts a send. Throws the error codes of a send. */
  send(caller: Tenant, request: V1SendRequest, correlationId: string, claim: Claim | null): Promise<V1SentEmail> {
    return this.idempotency.run(
      claim,
      async () => {
        const { addresses: recipients, kinds } = recipientsOf(request);
        const given = await this.calls.contentOf(caller, request);
        const content = await this.calls.contentFor(given);
        const call = await this.calls.begin(given, correlationId);
        await this.accepts.assertRoom(caller, call.scheduledAt ? 1 : 0);
        const reference = request.reference ?? null;
        const kind = kindOf(recipients, kinds);
        const send = await this.calls.sendOf(call, { id: newId(), recipients, kinds, content, reference, claim, kind });
        const { balance, skipped } = await this.accepts.accept(send);
        // If all recipients are skipped, nothing is charged and the balance must be read separately.
        const charged = skipped.length < recipients.length ? balance : null;
        return this.admission.runRest('read', caller.organizationId, () =>
          this.respond(send.id, charged ?? (() => balanceOf(this.pool, call.workspace.id, 'email')), claim),
        );
      },
      this,
    );
  }

  /** Reads the response of an accepted send, and stores it under the Idempotency-Key. */
  private async respond(
    id: string,
    balance: number | (() => Promise<number>),
    claim: Claim | null,
  ): Promise<V1SentEmail> {
    const stored = await this.messages.ofClaim(id);
    if (!stored) throw new Error(`the accepted email ${id} is not stored`);
    const response = sentEmail(stored, typeof balance === 'number' ? balance : await balance());
    if (claim) {
      await this.idempotency.storeResponse(claim, response).catch((error: unknown) => {
        // The email is accepted. The response to a repeated request is derived from the stored email.
        this.log.warn({ err: error }, 'failed to store the response of an idempotent send');
      });
    }
    return response;
  }

  /** Runs the checks of `send`, and the acceptance in a transaction that is rolled back. */
  quote(caller: Tenant, request: V1SendRequest, correlationId: string): Promise<V1Quote> {
    return quoteOf(
      SEND_CHECKS.email,
      async (quoted, progress) => {
        const { addresses: recipients, kinds } = recipientsOf(request);
        progress.note('permission', () => {
          assertScope(caller, 'email:send');
          assertRole(caller, 'member');
        });
        const given = await this.calls.contentOf(caller, request, progress);
        progress.enter('content');
        const content = await this.calls.contentFor(given);
        progress.leave();
        const call = await this.calls.begin(given, correlationId, progress);
        quoted.earliest_send_at = call.scheduledAt && new Date(call.scheduledAt).toISOString();
        quoted.credits_available = await balanceOf(this.pool, call.workspace.id, 'email');
        progress.enter('limits');
        await this.accepts.tryRoom(caller, call.scheduledAt ? 1 : 0);
        progress.leave();
        quoted.credits_cost = recipients.length;
        const send = await this.calls.sendOf(call, {
          id: newId(),
          recipients,
          kinds,
          content,
          reference: null,
          claim: null,
          kind: kindOf(recipients, kinds),
        });
        progress.enter('credits');
        const { skipped } = await this.accepts.tryAccept(send);
        quoted.credits_cost = recipients.length - skipped.length;
      },
      (quoted, progress) => this.attemptRest(caller, request, progress, quoted),
    );
  }

  /** After a failed check, a quote also runs the later checks that do not need its result. */
  private async attemptRest(
    caller: Tenant,
    request: V1SendRequest,
    progress: QuoteProgress,
    quoted: QuotedSend,
  ): Promise<void> {
    const scope = await this.calls.attemptRest(caller, request, progress);
    await progress.attempt('limits', () => this.accepts.tryRoom(caller, request.scheduled_at ? 1 : 0));
    const workspace = await this.calls.findWorkspace(caller, request);
    const balance = workspace && (await balanceOf(this.pool, workspace.id, 'email'));
    quoted.credits_available = balance;
    if (scope === null) return;
    const { addresses } = recipientsOf(request);
    const { organizationId } = caller;
    const cost = await this.accepts.costOf(organizationId, await this.calls.maskErased(caller, addresses), scope);
    quoted.credits_cost = cost;
    if (balance !== null) await progress.attempt('credits', () => this.accepts.assertCredits(cost, balance));
  }

  /** The response of a call whose process crashed before it stored the response. */
  async responseOf(id: string): Promise<V1SentEmail | 'running'> {
    const stored = await this.messages.ofClaim(id);
    if (!stored) return 'running';
    const { rows } = await this.pool.query<{ workspace: string }>(
      'SELECT workspace_id AS workspace FROM email.messages WHERE id = $1',
      [id],
    );
    return sentEmail(stored, await balanceOf(this.pool, rows[0]?.workspace ?? '', 'email'));
  }
}

function sentEmail({ recipients, ...email }: V1EmailDetails, credits_remaining: number): V1SentEmail {
  return {
    ...email,
    credits_remaining,
    recipients: recipients.map(({ to, kind, status, message_id, error }) => ({ to, kind, status, message_id, error })),
  };
}

/** Throws INVALID_RECIPIENT for too many recipients of one mail. */
function recipientsOf(request: V1SendRequest): MailRecipients {
  const recipients = mailRecipients(request);
  if (recipients.kinds === null || recipients.addresses.length <= MAX_SHARED_RECIPIENTS) return recipients;
  const message =
    `to, cc and bcc can have at most ${MAX_SHARED_RECIPIENTS} recipients in total. ` +
    'Split the send, or omit cc and bcc to send a separate mail to each recipient in to.';
  throw fieldError('INVALID_RECIPIENT', request.cc === undefined ? 'bcc' : 'cc', message);
}

/** Separate mails to several recipients are a bulk; one mail to all of them is not. */
function kindOf(recipients: readonly string[], kinds: MailRecipients['kinds']): JobKind {
  return recipients.length === 1 || kinds !== null ? 'single' : 'bulk';
}
