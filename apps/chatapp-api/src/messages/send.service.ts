import { Inject, Injectable } from '@nestjs/common';
import { originOf, type MessageOrigin, type Tenant } from '@heliograph/auth';
import { ChatappCatalog, type ChatappAccount, type TemplateCategory } from '@heliograph/chatapp-catalog';
import { NO_ANSWER, type AcceptanceRow, type AnswerRow } from '@heliograph/chatapp-messages';
import { REAL_SEND, type QuoteProgress, type SendProgress } from '@heliograph/credits';
import { simulatedOutcomeOf, type DialedNumber } from '@heliograph/addresses';
import { isTestId, newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { AlreadyClaimedError, IdempotencyService, type Claim } from '@heliograph/idempotency';
import { Backlog } from '@heliograph/messaging';
import { ErasedPersons, WorkspaceDirectory } from '@heliograph/tenancy';
import { METRICS, Tracing } from '@heliograph/service-kit';
import { Counter, type Registry } from 'prom-client';
import { MediaService } from '../media/media.service';
import { SendSemaphore } from '../pacing/send-semaphore';
import { SendingSwitches } from '../switches/sending-switches';
import { toAppError, type SendAnswer } from '../upstream/graph-client';
import { Providers } from '../upstream/providers';
import { Acceptance, assertAccepted } from './acceptance';
import { Answers } from './answers';
import type { SendResponse } from './records.dto';
import { MessagesRepository } from './messages.repository';
import { billedAs, contentOf, mediaIdsOf, recipientOf, templateOf } from './send-content';
import type { SendRequest } from './send-request.dto';

/** The simulated number of a person who had opted out. */
const OPTED_OUT = '30';

/** A send that is charged and stored but not yet accepted by the provider. */
interface AcceptedSend {
  row: AcceptanceRow;
  isFree: boolean;
  claim: Claim | null;
}

/** A send with its price, without the data of its caller. */
export type PricedSend = Omit<
  AcceptanceRow,
  'organization_id' | 'workspace_id' | 'correlation_id' | keyof MessageOrigin
>;

/** Accepts a send: validates it in the contract's order, charges and stores it, and calls the provider. */
@Injectable()
export class SendService {
  private readonly sends: Counter<'outcome'>;

  constructor(
    private readonly switches: SendingSwitches,
    private readonly catalog: ChatappCatalog,
    private readonly workspaces: WorkspaceDirectory,
    private readonly erased: ErasedPersons,
    private readonly media: MediaService,
    private readonly semaphore: SendSemaphore,
    private readonly acceptance: Acceptance,
    private readonly providers: Providers,
    private readonly answers: Answers,
    private readonly backlog: Backlog,
    private readonly idempotency: IdempotencyService,
    private readonly messages: MessagesRepository,
    private readonly tracing: Tracing,
    @Inject(METRICS) registry: Registry,
  ) {
    this.sends = new Counter({
      name: 'chatapp_sends_total',
      help: 'Accepted sends by response of the provider',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /**
   * Sends a message and returns after the provider has accepted it. The Idempotency-Key is claimed in the commit that
   * charges the message. A message that the provider does not accept is refunded. Throws the error codes of a send.
   */
  send(caller: Tenant, request: SendRequest, correlationId: string, claim: Claim | null): Promise<SendResponse> {
    return this.idempotency.run(
      claim,
      async () => {
        const row = { ...(await this.check(caller, request, correlationId)), ...claimColumns(claim) };
        const release = await this.slotFor(row);
        try {
          const accepted = await this.acceptance.accept(row);
          if (accepted.outcome === 'repeated') throw new AlreadyClaimedError();
          assertAccepted(accepted, row);
          return await this.handOver({ row, isFree: accepted.is_free, claim }, request);
        } finally {
          release();
        }
      },
      this.messages,
    );
  }

  /** Messages of test organizations need no slot, because the pace of the account concerns the provider. */
  private async slotFor({ organization_id: organizationId, recipient }: AcceptanceRow): Promise<() => void> {
    return isTestId(organizationId) ? () => undefined : this.semaphore.acquire(organizationId, recipient);
  }

  /** Runs all checks and returns the row of the message to be committed. */
  async check(
    caller: Tenant,
    request: SendRequest,
    correlationId: string,
    progress: SendProgress = REAL_SEND,
  ): Promise<AcceptanceRow> {
    progress.enter('recipient');
    const to = recipientOf(request);
    progress.enter('template');
    const mirrored = await this.mirroredCategory(caller, request);
    progress.enter('media');
    await this.media.assertOwnMedia(caller, mediaIdsOf(request));
    progress.enter('erased');
    await this.assertNotErased(caller, to);
    progress.enter('workspace');
    const workspace = await this.workspaces.sending(caller);
    progress.leave();
    this.backlog.assertRoom(null);
    return {
      ...(await this.priced(caller, request, to, mirrored)),
      organization_id: caller.organizationId,
      workspace_id: workspace.id,
      correlation_id: correlationId,
      ...originOf(caller),
    };
  }

  /**
   * Runs the checks of `check` behind a failed one in a quote, as far as they can be made without it. Returns the priced send; null if
   * its recipient or template is unknown.
   */
  async attemptRest(caller: Tenant, request: SendRequest, progress: QuoteProgress): Promise<PricedSend | null> {
    const to = await progress.attempt('recipient', () => recipientOf(request));
    const template = await progress.attempt('template', async () => ({
      category: await this.mirroredCategory(caller, request),
    }));
    await progress.attempt('media', () => this.media.assertOwnMedia(caller, mediaIdsOf(request)));
    if (to) await progress.attempt('erased', () => this.assertNotErased(caller, to));
    await progress.attempt('workspace', () => this.workspaces.sending(caller));
    return to && template && this.priced(caller, request, to, template.category);
  }

  /** Returns the category of the template if it is mirrored. Throws for a template of another organization. */
  private async mirroredCategory(caller: Tenant, request: SendRequest): Promise<TemplateCategory | null> {
    const template = templateOf(request);
    if (!template) return null;
    const named = (await this.catalog.templatesNamedAcrossTenants(template.name)).filter(
      // The templates of test organizations do not exist at the provider.
      ({ organizationId }) => organizationId === caller.organizationId || !isTestId(organizationId ?? ''),
    );
    const visible = named.filter(
      ({ organizationId }) => organizationId === null || organizationId === caller.organizationId,
    );
    if (named.length > 0 && visible.length === 0) {
      throw new AppError(
        'CHATAPP_REQUEST_INVALID',
        'Unknown template. GET /chatapp/templates lists the templates that you can send.',
      );
    }
    return visible.find(({ language }) => language === template.language)?.category ?? null;
  }

  private async assertNotErased({ organizationId }: Tenant, { e164 }: DialedNumber): Promise<void> {
    const isSimulated = isTestId(organizationId) && simulatedOutcomeOf(e164) === OPTED_OUT;
    if (
      !isSimulated &&
      (await this.erased.blockedMaskOf(organizationId, { kind: 'phone', value: e164 }, 'chatapp')) === null
    )
      return;
    throw new AppError(
      'RECIPIENT_OPTED_OUT',
      'The person with this number had opted out, and was erased at their request. Record a new opt-in of the contact before you write again.',
    );
  }

  private async priced(
    { organizationId }: Tenant,
    request: SendRequest,
    to: DialedNumber,
    mirrored: TemplateCategory | null,
  ): Promise<PricedSend> {
    const now = new Date();
    const category = billedAs(request, mirrored);
    const [account, price, allowance] = await Promise.all([
      this.switches.account(organizationId),
      this.catalog.priceOf(to.country, category, now),
      this.catalog.allowanceOf(category, now),
    ]);
    return {
      id: newId(),
      entry_id: newId(),
      account_id: account.id,
      recipient: to.e164,
      sender: senderOf(account),
      type: request.type,
      template_name: templateOf(request)?.name ?? null,
      category,
      price: price.baseCost + price.markup,
      currency: price.currency,
      needs_window: request.type !== 'template',
      is_free_in_window: allowance.isFree,
      monthly_limit: allowance.monthlyLimit,
    };
  }

  private async handOver(send: AcceptedSend, request: SendRequest): Promise<SendResponse> {
    const { row } = send;
    const message = { to: row.recipient, type: request.type, [request.type]: contentOf(request) };
    const span = this.tracing.start('send chat-app message', {
      kind: 'client',
      parent: this.tracing.ofRequest(row.organization_id, row.correlation_id),
      attributes: { 'heliograph.message_id': row.id },
    });
    const answer = await this.providers.of(row.organization_id).sendMessage(message, row.id, span?.traceparent);
    span?.end({ 'heliograph.outcome': answer.kind }, answer.kind === 'taken' ? undefined : answer.kind);
    this.sends.inc({ outcome: answer.kind });
    if (answer.kind === 'taken') {
      const response = responseTo(send, answer.upstreamId);
      await this.answers.record(answerRow(send, answer, 200, response), row.organization_id);
      return response;
    }
    const error = answer.kind === 'refused' ? toAppError(answer.error) : noAnswer();
    // Only an invalid request is stored as the response. After a transient error, the key is released.
    const isKept = error.code === 'CHATAPP_REQUEST_INVALID';
    const body = { code: error.code, message: error.message };
    const known = await this.answers.record(
      answerRow(send, answer, isKept ? error.status : null, isKept ? body : null),
      row.organization_id,
    );
    // A status has confirmed the message, although the call received no response.
    if (known?.upstream_id) return responseTo(send, known.upstream_id);
    throw error;
  }
}

function senderOf({ displayNumber, phoneNumberId }: ChatappAccount): string {
  return displayNumber ?? phoneNumberId;
}

function claimColumns(claim: Claim | null) {
  if (!claim) return {};
  const { callerId, endpoint, key, fingerprint } = claim;
  return { caller_id: callerId, endpoint, idempotency_key: key, fingerprint };
}

function responseTo({ row, isFree }: AcceptedSend, upstreamId: string): SendResponse {
  return {
    ok: true,
    id: row.id,
    chatappMessageId: upstreamId,
    to: row.recipient,
    type: row.type,
    category: row.category,
    free: isFree,
    price: isFree ? 0 : row.price,
    currency: row.currency,
    charged: !isFree && row.price > 0,
  };
}

function answerRow(
  { row, claim }: AcceptedSend,
  answer: SendAnswer,
  status: number | null,
  body: object | null,
): AnswerRow {
  return {
    id: row.id,
    entry_id: newId(),
    upstream_id: answer.kind === 'taken' ? answer.upstreamId : null,
    upstream_number: answer.kind === 'taken' ? answer.upstreamNumber : null,
    error: answer.kind === 'taken' ? null : answer.kind === 'refused' ? answer.error.title : NO_ANSWER,
    error_code: answer.kind === 'refused' ? answer.error.upstreamCode : null,
    is_presumed: answer.kind === 'unanswered',
    ...(claim
      ? {
          caller_id: claim.callerId,
          endpoint: claim.endpoint,
          idempotency_key: claim.key,
          answer_status: status,
          answer: body,
        }
      : {}),
  };
}

function noAnswer(): AppError {
  return new AppError(
    'CHATAPP_UPSTREAM',
    'The provider did not respond, and the message was refunded. Get the status of the message before you send it again: it may have been sent.',
  );
}
