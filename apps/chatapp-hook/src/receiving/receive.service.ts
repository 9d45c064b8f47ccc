import { isUtf8 } from 'node:buffer';
import { Inject, Injectable } from '@nestjs/common';
import { ChatappAccounts } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import { Backlog } from '@heliograph/messaging';
import { CONFIG, LOGGER, type Logger } from '@heliograph/service-kit';
import { HUB_SIGNATURE_HEADER, verifyHubSignature } from '@heliograph/secrets';
import type { ChatappHookConfig } from '../chatapp-hook.config';
import { readEnvelope, type Updates } from './read-envelope';
import { UpdateMetrics, type UpdateKind } from './update-metrics';
import { UpdateStore } from './update-store';

const REFUSALS = {
  malformed: `${HUB_SIGNATURE_HEADER} is missing or does not have the form sha256=<hex>. Send the header that the provider sets.`,
  mismatch:
    'The signature does not match the body. Check that CHATAPP_APP_SECRET is the secret of this app and that no proxy rewrites the body.',
} as const;

/** Verifies the provider's signature and records the updates before they are acknowledged. */
@Injectable()
export class ReceiveService {
  constructor(
    private readonly updates: UpdateStore,
    private readonly accounts: ChatappAccounts,
    private readonly backlog: Backlog,
    private readonly metrics: UpdateMetrics,
    @Inject(CONFIG) private readonly config: ChatappHookConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    if (config.CHATAPP_APP_SECRET === undefined) {
      log.warn({}, 'CHATAPP_APP_SECRET is not set: signatures are not checked, and any client can post messages');
    }
  }

  /** Resolves after all updates of the call are committed. Throws SIGNATURE_INVALID, INVALID_PAYLOAD. */
  async receive(signature: string | undefined, rawBody: Buffer, requestId: string): Promise<void> {
    this.assertGenuine(signature, rawBody);
    const updates = readEnvelope(parse(rawBody), this.config.CHATAPP_PRODUCT, new Date());
    this.reportSkipped(updates, requestId);
    const { inbound, statuses } = updates;
    if (inbound.length === 0 && statuses.length === 0) return;
    this.backlog.assertRoom(null);
    await this.makeAccount();
    await this.updates.record(inbound, statuses);
  }

  private assertGenuine(signature: string | undefined, rawBody: Buffer): void {
    const { CHATAPP_APP_SECRET: secrets } = this.config;
    if (secrets === undefined) return;
    const verdicts = secrets.map((secret) => verifyHubSignature(secret, rawBody, signature));
    if (verdicts.includes('ok')) return;
    throw new AppError('SIGNATURE_INVALID', REFUSALS[verdicts.includes('malformed') ? 'malformed' : 'mismatch']);
  }

  /** Creates the account if chatapp-api has not created it yet. Inbound messages are assigned to the account. */
  private async makeAccount(): Promise<void> {
    const { CHATAPP_PHONE_NUMBER_ID: id, CHATAPP_BUSINESS_ACCOUNT_ID: businessId } = this.config;
    if (id !== undefined) await this.accounts.operatorAccount(id, businessId ?? null);
  }

  private reportSkipped({ skipped }: Updates, requestId: string): void {
    let malformed = 0;
    for (const kind of Object.keys(skipped) as UpdateKind[]) {
      this.metrics.count(kind, 'ignored', skipped[kind].ignored);
      this.metrics.count(kind, 'malformed', skipped[kind].malformed);
      malformed += skipped[kind].malformed;
    }
    if (malformed > 0) this.log.warn({ requestId, malformed }, 'skipped invalid parts of a webhook call');
  }
}

function parse(rawBody: Buffer): unknown {
  try {
    if (isUtf8(rawBody)) return JSON.parse(rawBody.toString('utf8'));
  } catch {
    // The error is thrown below.
  }
  throw new AppError(
    'INVALID_PAYLOAD',
    'The body is not valid JSON in UTF-8. Send the unmodified body of the provider.',
  );
}
