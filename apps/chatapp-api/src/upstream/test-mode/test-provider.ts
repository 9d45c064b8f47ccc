import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { simulatedOutcomeOf } from '@heliograph/addresses';
import { isTemplateCategory, testPhoneNumberIdOf } from '@heliograph/chatapp-catalog';
import { recordStatuses, type StatusRow } from '@heliograph/chatapp-messages';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import type { Relay } from '@heliograph/messaging';
import type { Pool } from 'pg';
import type { GraphAccount } from '../graph-transport';
import type { MediaDownload } from '../media-download';
import type { MediaRecord } from '../media-record';
import type { FilePart } from '../multipart-body';
import type { Provider, ProviderMessage } from '../provider';
import { readSendAnswer, type SendAnswer } from '../send-answer';
import type { CreateAnswer, TemplatePage } from '../template-answers';
import { DELIVERED, SIMULATIONS, type Simulation } from './simulations';

/** The time that a slow provider needs for its response. */
const SLOW_MS = 3_000;
/** The content of every file: test mode keeps the record of an upload, and not its bytes. */
const MEDIA_CONTENT = 'A file of test mode.\n';
/** The statuses of new templates by the beginning of their name. Others are approved at once. */
const TEMPLATE_STATUSES: Readonly<Record<string, string>> = { pending_: 'PENDING', rejected_: 'REJECTED' };

/** The provider of a test organization: it answers by the number of the recipient, and connects to nothing. */
export class TestProvider implements Provider {
  constructor(
    private readonly organizationId: string,
    private readonly pool: Pool,
    private readonly relay: Relay,
  ) {}

  requireConfigured(): GraphAccount {
    const id = testPhoneNumberIdOf(this.organizationId);
    return { phoneNumberId: id, businessAccountId: id };
  }

  async sendMessage(message: ProviderMessage, callbackData: string): Promise<SendAnswer> {
    const missing = await this.missingTemplateOf(message);
    const simulation = missing ?? SIMULATIONS[simulatedOutcomeOf(message.to) ?? ''] ?? DELIVERED;
    const upstreamId = `test.${callbackData}`;
    switch (simulation.kind) {
      case 'refused': {
        const { status, code, title } = simulation;
        return readSendAnswer({ status, headers: {}, json: { error: { code, message: title } } }, '');
      }
      case 'unanswered':
        return { kind: 'unanswered', reason: 'no response in time' };
      case 'slow':
        await delay(SLOW_MS);
        return this.take(upstreamId, callbackData, DELIVERED);
      case 'taken':
      case 'failed':
        return this.take(upstreamId, callbackData, simulation);
    }
  }

  markRead(): Promise<void> {
    return Promise.resolve();
  }

  async uploadMedia(file: FilePart): Promise<string> {
    for await (const bytes of file.content) void bytes;
    return `test-${newId()}`;
  }

  async lookupMedia(id: string): Promise<MediaRecord> {
    const { rows } = await this.pool.query<{ mimeType: string; sha256: string; sizeBytes: number }>(
      `SELECT mime_type AS "mimeType", sha256, size::float8 AS "sizeBytes" FROM chatapp.media WHERE id = $1 AND organization_id = $2`,
      [id, this.organizationId],
    );
    const [media] = rows;
    if (media) return { id, url: `https://simulator.test/${id}`, ...media };
    throw new AppError(
      'NOT_FOUND',
      'This media does not exist at the provider, or it was deleted there. Check the id.',
    );
  }

  openMedia(): Promise<MediaDownload> {
    const sizeBytes = MEDIA_CONTENT.length;
    return Promise.resolve({ kind: 'opened', status: 200, body: Readable.from([MEDIA_CONTENT]), sizeBytes });
  }

  listTemplates(): Promise<TemplatePage> {
    return Promise.resolve({ templates: [], unusable: 0, next: null });
  }

  createTemplate(template: object): Promise<CreateAnswer> {
    const { name = '', category = '' } = template as { name?: string; category?: string };
    const prefix = Object.keys(TEMPLATE_STATUSES).find((each) => name.startsWith(each)) ?? '';
    const billed = category.toLowerCase();
    return Promise.resolve({
      kind: 'created',
      id: `test-${newId()}`,
      status: TEMPLATE_STATUSES[prefix] ?? 'APPROVED',
      category: isTemplateCategory(billed) ? billed : null,
    });
  }

  deleteTemplate(): Promise<'deleted'> {
    return Promise.resolve('deleted');
  }

  /** The refusal of a template that the organization does not have, or that is not approved. Shared templates exist in test mode, too. */
  private async missingTemplateOf({ type, ...content }: ProviderMessage): Promise<Simulation | null> {
    if (type !== 'template') return null;
    const { template } = content as { template?: { name?: string; language?: { code?: string } } };
    const { rowCount } = await this.pool.query(
      `SELECT FROM chatapp.templates 
       WHERE (organization_id = $1 OR organization_id IS NULL) AND name = $2 AND language = $3 AND status = 'APPROVED'`,
      [this.organizationId, template?.name, template?.language?.code],
    );
    if (rowCount !== 0) return null;
    return { kind: 'refused', status: 404, code: 132001, title: 'Template name does not exist in the translation' };
  }

  /** Statuses that arrive before the answer are matched by the callback data, like those of the provider. */
  private async take(
    upstreamId: string,
    callbackData: string,
    simulation: Extract<Simulation, { kind: 'taken' | 'failed' }>,
  ): Promise<SendAnswer> {
    const statuses = simulation.kind === 'failed' ? (['failed'] as const) : simulation.statuses;
    const error = simulation.kind === 'failed' ? simulation.title : null;
    const errorCode = simulation.kind === 'failed' ? simulation.code : null;
    const rows = statuses.map((status): StatusRow => ({
      upstream_id: upstreamId,
      callback_id: callbackData,
      status,
      occurred_at: new Date().toISOString(),
      error,
      error_code: errorCode,
    }));
    if (rows.length > 0) await recordStatuses(this.pool, rows);
    this.relay.wake();
    return { kind: 'taken', upstreamId, upstreamNumber: null };
  }
}
