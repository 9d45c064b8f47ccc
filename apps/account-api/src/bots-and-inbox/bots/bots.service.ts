import { Injectable } from '@nestjs/common';
import { BotCatalogService, type BotWithVersion } from '@heliograph/bot-catalog';
import { given, type Changed } from '@heliograph/database';
import { type Workspace, AuditedKind, excerptOf, UnitOfWork, type Write } from '@heliograph/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import type { ForeignPageQuery, PageQuery } from '../../http/page.query';
import { LIMITED } from '../../unit-of-work/limited-kinds';
import { botKey, placeOf } from './about-bot';
import {
  BotPage,
  OneBot,
  VersionPage,
  type ChangeBotRequest,
  type CreateBotRequest,
  type PublishRequest,
} from './bots.dto';

const BOT = new AuditedKind<BotWithVersion>(
  'bot',
  ({ bot: { publicId: id, organizationId, workspaceId } }) => ({ id, organizationId, workspaceId }),
  toAuditData,
);

/** Manages the bots of a workspace; each write is audited. */
@Injectable()
export class BotsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: BotCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(workspace: Workspace, query: PageQuery): Promise<BotPage> {
    return BotPage.of(await this.catalog.list(this.dataSource.manager, placeOf(workspace), pageOf(query)));
  }

  async get(workspace: Workspace, botId: string): Promise<OneBot> {
    return OneBot.of(await this.catalog.read(this.dataSource.manager, botKey(workspace, botId)));
  }

  async versions(workspace: Workspace, botId: string, query: ForeignPageQuery): Promise<VersionPage> {
    const key = botKey(workspace, botId);
    return VersionPage.of(await this.catalog.versions(this.dataSource.manager, key, pageOf(query)));
  }

  create(write: Write, workspace: Workspace, { id, slug, ...body }: CreateBotRequest): Promise<OneBot> {
    const details = { ...body, ...given({ publicId: id, slug }) };
    const creates = { organizationId: workspace.organizationId, kind: LIMITED.bots };
    const created = { kind: BOT, done: 'created', creates, answer: OneBot.of };
    return this.unitOfWork.change(write, created, async (transaction) => ({
      after: { bot: await this.catalog.create(transaction, placeOf(workspace), details), version: null },
    }));
  }

  update(write: Write, workspace: Workspace, botId: string, body: ChangeBotRequest): Promise<OneBot> {
    return this.change(write, 'changed', (transaction) =>
      this.catalog.change(transaction, botKey(workspace, botId), body),
    );
  }

  /** Deletes a bot. Throws STATE_CONFLICT for a bot that was published. */
  remove(write: Write, workspace: Workspace, botId: string): Promise<OneBot> {
    return this.change(write, 'removed', async (transaction) => ({
      before: { bot: await this.catalog.remove(transaction, botKey(workspace, botId)), version: null },
    }));
  }

  publish(write: Write, workspace: Workspace, botId: string, { tone, note }: PublishRequest): Promise<OneBot> {
    const { actor } = write;
    const publishedBy = actor.kind === 'user' ? actor.id : null;
    return this.change(write, 'published', async (transaction) => {
      const key = botKey(workspace, botId);
      const previous = (await this.catalog.read(transaction, key)).version;
      const { before, bot, version } = await this.catalog.publish(transaction, key, { tone, note, publishedBy });
      return { before: { bot: before, version: previous }, after: { bot, version } };
    });
  }

  /** Throws STATE_CONFLICT for a draft. */
  pause(write: Write, workspace: Workspace, botId: string): Promise<OneBot> {
    return this.change(write, 'paused', (transaction) => this.catalog.pause(transaction, botKey(workspace, botId)));
  }

  /** Throws STATE_CONFLICT for a bot that was never published. */
  resume(write: Write, workspace: Workspace, botId: string): Promise<OneBot> {
    return this.change(write, 'resumed', (transaction) => this.catalog.resume(transaction, botKey(workspace, botId)));
  }

  private change(
    write: Write,
    done: string,
    change: (transaction: EntityManager) => Promise<Partial<Changed<BotWithVersion>>>,
  ): Promise<OneBot> {
    return this.unitOfWork.change(write, { kind: BOT, done, answer: OneBot.of }, change);
  }
}

function toAuditData({ bot, version }: BotWithVersion): object {
  const { name, slug, locale, status, avatarUrl, settings } = bot;
  const published = version && { number: version.number, tone: version.tone, note: version.note };
  return { name, slug, locale, status, avatarUrl, settings: excerptOf(JSON.stringify(settings)), version: published };
}
