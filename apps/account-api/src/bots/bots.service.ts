import { Injectable } from '@nestjs/common';
import { BotCatalogService, type BotKey, type BotVersion, type BotWithVersion } from '@heliograph/bot-catalog';
import { type Changed, type Page, type PageOf } from '@heliograph/database';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import { excerptOf } from '../unit-of-work/excerpt';
import { UnitOfWork, type UnitOfWorkContext, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { botKey, placeOf } from './about-bot';
import { BotRecord, type ChangeBotRequest, type CreateBotRequest, type PublishRequest } from './bots.dto';

/** Manages the bots of a workspace; each write is audited. */
@Injectable()
export class BotsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: BotCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(workspace: Workspace, page: Page): Promise<PageOf<BotWithVersion>> {
    return this.catalog.list(this.dataSource.manager, placeOf(workspace), page);
  }

  get(workspace: Workspace, botId: string): Promise<BotWithVersion> {
    return this.catalog.read(this.dataSource.manager, botKey(workspace, botId));
  }

  versions(workspace: Workspace, botId: string, page: Page): Promise<PageOf<BotVersion>> {
    return this.catalog.versions(this.dataSource.manager, botKey(workspace, botId), page);
  }

  create(write: WriteRequest, workspace: Workspace, { id, slug, ...body }: CreateBotRequest): Promise<BotRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const details = {
        ...body,
        ...(id === undefined ? {} : { publicId: id }),
        ...(slug === undefined ? {} : { slug }),
      };
      const bot = await this.catalog.create(work.transaction, placeOf(workspace), details);
      const created = { bot, version: null };
      await auditChange(work, workspace, 'created', { after: created });
      return BotRecord.of(created);
    });
  }

  update(write: WriteRequest, workspace: Workspace, botId: string, body: ChangeBotRequest): Promise<BotRecord> {
    return this.runAudited(write, workspace, 'changed', (transaction) =>
      this.catalog.change(transaction, botKey(workspace, botId), body),
    );
  }

  /** Throws STATE_CONFLICT for a bot that was published. */
  remove(write: WriteRequest, workspace: Workspace, botId: string): Promise<BotRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const before = { bot: await this.catalog.remove(work.transaction, botKey(workspace, botId)), version: null };
      await auditChange(work, workspace, 'removed', { before });
      return BotRecord.of(before);
    });
  }

  publish(
    write: WriteRequest,
    workspace: Workspace,
    botId: string,
    { tone, note }: PublishRequest,
  ): Promise<BotRecord> {
    const { actor } = write;
    const publishedBy = actor.kind === 'user' ? actor.id : null;
    return this.runAudited(write, workspace, 'published', async (transaction) => {
      const key = botKey(workspace, botId);
      const version = await this.previous(transaction, key);
      const created = await this.catalog.publish(transaction, key, { tone, note, publishedBy });
      return { before: { bot: created.before, version }, after: { bot: created.bot, version: created.version } };
    });
  }

  /** Throws STATE_CONFLICT for a draft. */
  pause(write: WriteRequest, workspace: Workspace, botId: string): Promise<BotRecord> {
    return this.runAudited(write, workspace, 'paused', (transaction) =>
      this.catalog.pause(transaction, botKey(workspace, botId)),
    );
  }

  /** Throws STATE_CONFLICT for a bot that was never published. */
  resume(write: WriteRequest, workspace: Workspace, botId: string): Promise<BotRecord> {
    return this.runAudited(write, workspace, 'resumed', (transaction) =>
      this.catalog.resume(transaction, botKey(workspace, botId)),
    );
  }

  private async previous(transaction: EntityManager, key: BotKey): Promise<BotVersion | null> {
    return (await this.catalog.read(transaction, key)).version;
  }

  private runAudited(
    write: WriteRequest,
    workspace: Workspace,
    done: string,
    apply: (transaction: EntityManager) => Promise<Changed<BotWithVersion>>,
  ): Promise<BotRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const changed = await apply(work.transaction);
      await auditChange(work, workspace, done, changed);
      return BotRecord.of(changed.after);
    });
  }
}

async function auditChange(
  { audit }: UnitOfWorkContext,
  workspace: Workspace,
  done: string,
  { before, after }: Partial<Changed<BotWithVersion>>,
): Promise<void> {
  const id = (after ?? before)?.bot.publicId ?? '';
  await audit({
    ...placeOf(workspace),
    action: `bot.${done}`,
    target: { type: 'bot', id },
    before: before ? toAuditData(before) : null,
    after: after ? toAuditData(after) : null,
  });
}

function toAuditData({ bot, version }: BotWithVersion): object {
  const { name, slug, locale, status, avatarUrl, settings } = bot;
  const published = version && { number: version.number, tone: version.tone, note: version.note };
  return { name, slug, locale, status, avatarUrl, settings: excerptOf(JSON.stringify(settings)), version: published };
}
