import { Injectable } from '@nestjs/common';
import {
  given,
  insertNew,
  newId,
  saveUnlessTaken,
  toPage,
  type Changed,
  type Page,
  type PageOf,
} from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { In, LessThan, Like, MoreThan, Not, type EntityManager } from 'typeorm';
import { lockBot, readBot, type BotKey } from './bot-access';
import { filled, lineOf, textOf } from './catalog-rules';
import { botValues, newBotValues, type BotChanges, type BotDetails } from './bot-details';
import { reindexAll, unindexAll } from './content/search-index';
import { BotArticle } from './entities/bot-article.entity';
import { BotFaq } from './entities/bot-faq.entity';
import { BotForm } from './entities/bot-form.entity';
import { BotShortcut } from './entities/bot-shortcut.entity';
import { BotVersion } from './entities/bot-version.entity';
import { Bot, type BotStatus } from './entities/bot.entity';

const DEFAULT_TONE = 'friendly';
const MAX_TONE_LENGTH = 100;
const MAX_NOTE_LENGTH = 1_000;

/** The organization and its workspace. */
export type BotHome = Omit<BotKey, 'publicId'>;

export interface Publication {
  /** Default: the tone of the previous version, else `friendly`. */
  tone?: string | undefined;
  note?: string | null;
  /** The user id; null for an API key. */
  publishedBy?: string | null;
}

/** A bot with its published version; null while no version is published. */
export interface BotWithVersion {
  bot: Bot;
  version: BotVersion | null;
}

/**
 * Creates, updates and publishes bots. Throws VALIDATION_ERROR for invalid input. A bot of another organization is
 * NOT_FOUND, like a bot that does not exist.
 */
@Injectable()
export class BotCatalogService {
  /** Sorted by creation time, oldest first. */
  async list(manager: EntityManager, home: BotHome, page: Page): Promise<PageOf<BotWithVersion>> {
    const rows = await manager.find(Bot, {
      where: { ...homeOf(home), ...(page.after === null ? {} : { id: MoreThan(page.after) }) },
      order: { id: 'ASC' },
      take: page.limit + 1,
    });
    const { items, next } = toPage(rows, page, ({ id }) => id);
    const versions = await manager
      .createQueryBuilder(BotVersion, 'version')
      .distinctOn(['version.botId'])
      .where({ botId: In(items.map(({ id }) => id)) })
      .orderBy({ 'version.botId': 'ASC', 'version.number': 'DESC' })
      .getMany();
    const newest = new Map(versions.map((version) => [version.botId, version]));
    return { items: items.map((bot) => ({ bot, version: newest.get(bot.id) ?? null })), next };
  }

  async read(manager: EntityManager, key: BotKey): Promise<BotWithVersion> {
    const bot = await readBot(manager, key);
    return { bot, version: await newestVersion(manager, bot.id) };
  }

  /** Creates a draft. Throws NAME_TAKEN for the id, SLUG_TAKEN for the slug. */
  async create(transaction: EntityManager, home: BotHome, details: BotDetails): Promise<Bot> {
    const at = new Date();
    const made = newBotValues(details);
    const slug = details.slug === undefined ? await freeSlug(transaction, home, made.slug) : made.slug;
    const values = { id: newId(), ...homeOf(home), status: 'draft' as const, ...made, slug };
    const bot = transaction.create(Bot, { ...values, createdAt: at, updatedAt: at });
    if (await insertNew(transaction.getRepository(Bot), bot)) return bot;
    throw await takenValue(transaction, bot);
  }

  /** Updates the given fields only. Throws SLUG_TAKEN. */
  async change(transaction: EntityManager, key: BotKey, changes: BotChanges): Promise<Changed<BotWithVersion>> {
    const before = await lockBot(transaction, key);
    const after = await this.save(transaction, before, botValues(before, changes));
    const version = await newestVersion(transaction, before.id);
    return { before: { bot: before, version }, after: { bot: after, version } };
  }

  /**
   * Deletes a bot with its content. Throws STATE_CONFLICT for a bot that was ever published, because visitors may have
   * conversations with it.
   */
  async remove(transaction: EntityManager, key: BotKey): Promise<Bot> {
    const bot = await lockBot(transaction, key);
    if (await newestVersion(transaction, bot.id)) {
      throw new AppError(
        'STATE_CONFLICT',
        'A bot that was published cannot be deleted, because its conversations are retained. Pause it instead.',
      );
    }
    await unindexAll(transaction, bot);
    for (const entity of [BotFaq, BotArticle, BotShortcut, BotForm]) {
      await transaction.delete<{ botId: string }>(entity, { botId: bot.id });
    }
    await transaction.delete(Bot, { id: bot.id });
    return bot;
  }

  /** Versions, newest first. `after` is the version number of the last page. */
  async versions(manager: EntityManager, key: BotKey, page: Page): Promise<PageOf<BotVersion>> {
    const { id: botId } = await readBot(manager, key);
    const after = page.after === null ? null : Number(page.after);
    const rows =
      after !== null && !(Number.isInteger(after) && after >= 1 && after < 2 ** 31)
        ? []
        : await manager.find(BotVersion, {
            where: { botId, ...(after === null ? {} : { number: LessThan(after) }) },
            order: { number: 'DESC' },
            take: page.limit + 1,
          });
    return toPage(rows, page, ({ number }) => String(number));
  }

  /** Publishes the next version. A draft becomes active; a paused bot stays paused. */
  async publish(
    transaction: EntityManager,
    key: BotKey,
    { tone, note = null, publishedBy = null }: Publication,
  ): Promise<{ before: Bot; bot: Bot; version: BotVersion }> {
    const before = await lockBot(transaction, key);
    const last = await newestVersion(transaction, before.id);
    const version = await addVersion(transaction, before, {
      number: (last?.number ?? 0) + 1,
      tone: tone === undefined ? (last?.tone ?? DEFAULT_TONE) : checkTone(tone),
      note: textOf('note', note, MAX_NOTE_LENGTH),
      publishedBy,
    });
    const bot = before.status === 'draft' ? await this.save(transaction, before, { status: 'active' }) : before;
    return { before, bot, version };
  }

  /**
   * Publishes a version with a given number. If that number exists, only its tone is updated. A missing number below
   * the newest is ignored.
   */
  async putVersion(
    transaction: EntityManager,
    key: BotKey,
    { number, tone }: { number: number; tone: string },
  ): Promise<void> {
    const bot = await lockBot(transaction, key);
    const clean = checkTone(tone);
    const last = await newestVersion(transaction, bot.id);
    if (last === null || last.number < number) {
      await addVersion(transaction, bot, { number, tone: clean, note: null, publishedBy: null });
      return;
    }
    const same = await transaction.findOneBy(BotVersion, { botId: bot.id, number });
    if (same && same.tone !== clean) await transaction.update(BotVersion, { id: same.id }, { tone: clean });
  }

  /** Hides the bot from visitors. Pausing a paused bot changes nothing. Throws STATE_CONFLICT for a draft. */
  async pause(transaction: EntityManager, key: BotKey): Promise<Changed<BotWithVersion>> {
    return this.turn(transaction, key, 'paused');
  }

  /**
   * Makes the bot reachable for visitors again. Resuming an active bot changes nothing. Throws STATE_CONFLICT for a bot
   * that was never published.
   */
  async resume(transaction: EntityManager, key: BotKey): Promise<Changed<BotWithVersion>> {
    return this.turn(transaction, key, 'active');
  }

  /**
   * Finds a bot by its public id, or creates it. Throws STATE_CONFLICT if the bot belongs to another organization or
   * workspace.
   */
  async put(
    transaction: EntityManager,
    home: BotHome,
    { status, ...details }: BotDetails & { publicId: string; status: BotStatus },
  ): Promise<Bot> {
    const { publicId } = details;
    const there = await transaction.findOneBy(Bot, { publicId });
    if (there && there.organizationId !== home.organizationId) {
      throw new AppError(
        'STATE_CONFLICT',
        `publicId: ${publicId} belongs to another organization. Choose another one.`,
      );
    }
    if (!there) {
      const { id } = await this.create(transaction, home, details);
      await transaction.update(Bot, { id }, { status });
      return transaction.findOneByOrFail(Bot, { id });
    }
    const before = await lockBot(transaction, { ...there, publicId });
    if (there.workspaceId !== home.workspaceId) {
      throw new AppError('STATE_CONFLICT', `publicId: ${publicId} belongs to another workspace. Choose another one.`);
    }
    return this.save(transaction, before, { ...botValues(before, details), status });
  }

  private async turn(
    transaction: EntityManager,
    key: BotKey,
    status: 'active' | 'paused',
  ): Promise<Changed<BotWithVersion>> {
    const before = await lockBot(transaction, key);
    const version = await newestVersion(transaction, before.id);
    if (before.status === 'draft' || (status === 'active' && version === null)) {
      throw new AppError('STATE_CONFLICT', 'The bot was never published. Publish it first.');
    }
    const after = await this.save(transaction, before, { status });
    return { before: { bot: before, version }, after: { bot: after, version } };
  }

  /**
   * `before` must be locked. Content is indexed in the language of the bot, so a new language rebuilds the search
   * index.
   */
  private async save(transaction: EntityManager, before: Bot, values: Partial<Bot>): Promise<Bot> {
    const after = transaction.create(Bot, { ...before, ...given(values) });
    if (!(await saveUnlessTaken(transaction.getRepository(Bot), before, after))) {
      throw await takenValue(transaction, after);
    }
    if (after.locale !== before.locale) await reindexAll(transaction, after);
    return after;
  }
}

function homeOf({ organizationId, workspaceId }: BotHome): BotHome {
  return { organizationId, workspaceId };
}

function newestVersion(manager: EntityManager, botId: string): Promise<BotVersion | null> {
  return manager.findOne(BotVersion, { where: { botId }, order: { number: 'DESC' } });
}

async function addVersion(
  transaction: EntityManager,
  { id: botId, organizationId }: Bot,
  values: Pick<BotVersion, 'number' | 'tone' | 'note' | 'publishedBy'>,
): Promise<BotVersion> {
  const version = transaction.create(BotVersion, {
    id: newId(),
    organizationId,
    botId,
    ...values,
    publishedAt: new Date(),
  });
  await transaction.insert(BotVersion, version);
  return version;
}

function checkTone(tone: string): string {
  return filled('tone', lineOf('tone', tone, MAX_TONE_LENGTH));
}

const MAX_SLUG_LENGTH = 63;

/** Returns the slug, with a number appended if the workspace already uses it. */
async function freeSlug(transaction: EntityManager, { workspaceId }: BotHome, slug: string): Promise<string> {
  const like = { workspaceId, slug: Like(`${slug.slice(0, MAX_SLUG_LENGTH - 5)}%`) };
  const taken = new Set(
    (await transaction.find(Bot, { where: like, select: { id: true, slug: true } })).map((bot) => bot.slug),
  );
  for (let number = 1; ; number++) {
    const free = number === 1 ? slug : `${slug.slice(0, MAX_SLUG_LENGTH - 1 - String(number).length)}-${number}`;
    if (!taken.has(free)) return free;
  }
}

/** The error of a bot whose slug or public id another bot has. */
async function takenValue(transaction: EntityManager, { id, workspaceId, slug }: Bot): Promise<AppError> {
  if (await transaction.existsBy(Bot, { workspaceId, slug, id: Not(id) })) {
    return new AppError('SLUG_TAKEN', 'A bot with this slug already exists in the workspace. Choose another slug.');
  }
  return new AppError('NAME_TAKEN', 'A bot with this id already exists. Choose another id.');
}
