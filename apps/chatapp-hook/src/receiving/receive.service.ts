import { isUtf8 } from 'node:buffer';
import { Inject, Injectable } from '@nestjs/common';
import { ChatappAccounts } from '@heliograph/chatapp-catalog';
import { AppError } from '@heliograph/errors';
import { Backlog } from '@heliograph/messaging';
import { LOGGER, type Logger } from '@heliograph/platform';
import { HUB_SIGNATURE_HEADER, verifyHubSignature } from '@heliograph/signatures';
import type { ChatappHookSettings } from '../chatapp-hook.config';
import { CHATAPP_HOOK_SETTINGS } from '../chatapp-hook.tokens';
import { readEnvelope, type Updates } from './read-envelope';
import { UpdateMetrics, type UpdateKind } from './update-metrics';
import { UpdateStore } from './update-store';

const REFUSALS = {
  malformed: `${HUB_SIGNATURE_HEADER} is missing or not of the form sha256=<hex>. Send it as the platform makes it.`,
  mismatch:
    'The signature does not fit the body. Check that CHATAPP_APP_SECRET is the secret of this very app, and that no proxy rewrites the body.',
} as const;

/** Lets nothing in that the platform did not sign, and has it recorded before it is acknowledged. */
@Injectable()
export class ReceiveService {
  constructor(
    @Inject(UpdateStore) private readonly updates: UpdateStore,
    @Inject(ChatappAccounts) private readonly accounts: ChatappAccounts,
    @Inject(Backlog) private readonly backlog: Backlog,
    @Inject(UpdateMetrics) private readonly metrics: UpdateMetrics,
    @Inject(CHATAPP_HOOK_SETTINGS) private readonly settings: ChatappHookSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    if (settings.CHATAPP_APP_SECRET === undefined) {
      log.warn({}, 'CHATAPP_APP_SECRET is not set: signatures are not checked, anybody may post messages');
    }
  }

  /** Resolves once everything that the call brings is committed. Throws SIGNATURE_INVALID, INVALID_PAYLOAD. */
  async receive(signature: string | undefined, rawBody: Buffer, requestId: string): Promise<void> {
    this.assertGenuine(signature, rawBody);
    const updates = readEnvelope(parse(rawBody), this.settings.CHATAPP_PRODUCT, new Date());
    this.tellWhatIsLeft(updates, requestId);
    const { inbound, statuses } = updates;
    if (inbound.length === 0 && statuses.length === 0) return;
    this.backlog.assertRoom();
    await this.makeAccount();
    await this.updates.record(inbound, statuses);
  }

  private assertGenuine(signature: string | undefined, rawBody: Buffer): void {
    const { CHATAPP_APP_SECRET: secret } = this.settings;
    if (secret === undefined) return;
    const verdict = verifyHubSignature(secret, rawBody, signature);
    if (verdict !== 'ok') throw new AppError('SIGNATURE_INVALID', REFUSALS[verdict]);
  }

  /** Messages are known to be ours by it. The service that sends makes it too, but may not have run yet. */
  private async makeAccount(): Promise<void> {
    const { CHATAPP_PHONE_NUMBER_ID: id, CHATAPP_BUSINESS_ACCOUNT_ID: businessId } = this.settings;
    if (id !== undefined) await this.accounts.platform(id, businessId ?? null);
  }

  private tellWhatIsLeft({ left }: Updates, requestId: string): void {
    let malformed = 0;
    for (const kind of Object.keys(left) as UpdateKind[]) {
      this.metrics.count(kind, 'ignored', left[kind].ignored);
      this.metrics.count(kind, 'malformed', left[kind].malformed);
      malformed += left[kind].malformed;
    }
    if (malformed > 0) this.log.warn({ requestId, malformed }, 'parts of a call could not be understood; left out');
  }
}

function parse(rawBody: Buffer): unknown {
  try {
    if (isUtf8(rawBody)) return JSON.parse(rawBody.toString('utf8'));
  } catch {
    // Told below.
  }
  throw new AppError('INVALID_PAYLOAD', 'The body is not JSON in UTF-8. Send it as the platform makes it.');
}
