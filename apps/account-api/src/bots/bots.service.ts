import { Inject, Injectable } from '@nestjs/common';
import { BotCatalogService, type BotKey, type BotVersion, type BotWithVersion } from '@heliograph/bot-catalog';
import { type Changed, type Page, type PageOf } from '@heliograph/database';
import type { Workspace } from '@heliograph/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import { excerptOf } from '../writes/excerpt';
import { Writes, type OpenWrite, type WriteCall } from '../writes/writes.service';
import { botKey, placeOf } from './about-bot';
import { BotRecord, type ChangeBotRequest, type CreateBotRequest, type PublishRequest } from './bots.dto';

/** The bots of a workspace, on the record. */
@Injectable()
export class BotsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(BotCatalogService) private readonly catalog: BotCatalogService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  list(workspace: Workspace, page: Page): Promise<PageOf<BotWithVersion>> {
    return this.catalog.list(this.dataSource.manager, placeOf(workspace), page);
  }

  one(workspace: Workspace, botId: string): Promise<BotWithVersion> {
    return this.catalog.read(this.dataSource.manager, botKey(workspace, botId));
  }

  versions(workspace: Workspace, botId: string, page: Page): Promise<PageOf<BotVersion>> {
    return this.catalog.versions(this.dataSource.manager, botKey(workspace, botId), page);
  }

  create(call: WriteCall, workspace: Workspace, { id, slug, ...asked }: CreateBotRequest): Promise<BotRecord> {
    return this.writes.run(call, async (open) => {
      const details = {
        ...asked,
        ...(id === undefined ? {} : { publicId: id }),
        ...(slug === undefined ? {} : { slug }),
      };
      const bot = await this.catalog.create(open.transaction, placeOf(workspace), details);
      const made = { bot, version: null };
      await note(open, workspace, 'created', { after: made });
      return BotRecord.of(made);
    });
  }

  change(call: WriteCall, workspace: Workspace, botId: string, asked: ChangeBotRequest): Promise<BotRecord> {
    return this.noted(call, workspace, 'changed', (transaction) =>
      this.catalog.change(transaction, botKey(workspace, botId), asked),
    );
  }

  /** Throws STATE_CONFLICT for a bot that was published. */
  remove(call: WriteCall, workspace: Workspace, botId: string): Promise<BotRecord> {
    return this.writes.run(call, async (open) => {
      const before = { bot: await this.catalog.remove(open.transaction, botKey(workspace, botId)), version: null };
      await note(open, workspace, 'removed', { before });
      return BotRecord.of(before);
    });
  }

  publish(
    call: WriteCall,
    workspace: Workspace,
    botId: string,
    { tone, note: told }: PublishRequest,
  ): Promise<BotRecord> {
    const { actor } = call;
    const publishedBy = actor.kind === 'user' ? actor.id : null;
    return this.noted(call, workspace, 'published', async (transaction) => {
      const key = botKey(workspace, botId);
      const version = await this.previous(transaction, key);
      const made = await this.catalog.publish(transaction, key, { tone, note: told, publishedBy });
      return { before: { bot: made.before, version }, after: { bot: made.bot, version: made.version } };
    });
  }

  /** Throws STATE_CONFLICT for a draft. */
  pause(call: WriteCall, workspace: Workspace, botId: string): Promise<BotRecord> {
    return this.noted(call, workspace, 'paused', (transaction) =>
      this.catalog.pause(transaction, botKey(workspace, botId)),
    );
  }

  /** Throws STATE_CONFLICT for what was never published. */
  resume(call: WriteCall, workspace: Workspace, botId: string): Promise<BotRecord> {
    return this.noted(call, workspace, 'resumed', (transaction) =>
      this.catalog.resume(transaction, botKey(workspace, botId)),
    );
  }

  private async previous(transaction: EntityManager, key: BotKey): Promise<BotVersion | null> {
    return (await this.catalog.read(transaction, key)).version;
  }

  private noted(
    call: WriteCall,
    workspace: Workspace,
    done: string,
    write: (transaction: EntityManager) => Promise<Changed<BotWithVersion>>,
  ): Promise<BotRecord> {
    return this.writes.run(call, async (open) => {
      const changed = await write(open.transaction);
      await note(open, workspace, done, changed);
      return BotRecord.of(changed.after);
    });
  }
}

async function note(
  { record }: OpenWrite,
  workspace: Workspace,
  done: string,
  { before, after }: Partial<Changed<BotWithVersion>>,
): Promise<void> {
  const id = (after ?? before)?.bot.publicId ?? '';
  await record({
    ...placeOf(workspace),
    action: `bot.${done}`,
    target: { type: 'bot', id },
    before: before ? noted(before) : null,
    after: after ? noted(after) : null,
  });
}

function noted({ bot, version }: BotWithVersion): object {
  const { name, slug, locale, status, avatarUrl, settings } = bot;
  const published = version && { number: version.number, tone: version.tone, note: version.note };
  return { name, slug, locale, status, avatarUrl, settings: excerptOf(JSON.stringify(settings)), version: published };
}
