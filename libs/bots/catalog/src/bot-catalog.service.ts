import { Injectable } from '@nestjs/common';
import { given, isUniqueViolation, newId, toPage, type Changed, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { In, LessThan, Like, MoreThan, type EntityManager } from 'typeorm';
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

/** Which workspace of which organization. */
export type BotHome = Omit<BotKey, 'publicId'>;

export interface Publication {
  /** Left out: that of the version before, else friendly. */
  tone?: string | undefined;
  note?: string | null;
  /** The user; null for a key. */
  publishedBy?: string | null;
}

/** A bot with what visitors talk to: null while nothing is published. */
export interface BotWithVersion {
  bot: Bot;
  version: BotVersion | null;
}

/**
 * Writes bots and publishes them. Throws VALIDATION_ERROR for what breaks a rule; another organization's bot is
 * NOT_FOUND, like one that is not there.
 */
@Injectable()
export class BotCatalogService {
  /** In the order of their making. */
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

  /** A draft. Throws NAME_TAKEN for the id, SLUG_TAKEN. */
  async create(transaction: EntityManager, home: BotHome, details: BotDetails): Promise<Bot> {
    const at = new Date();
    const made = newBotValues(details);
    const slug = details.slug === undefined ? await freeSlug(transaction, home, made.slug) : made.slug;
    const values = { id: newId(), ...homeOf(home), status: 'draft' as const, ...made, slug };
    const bot = transaction.create(Bot, { ...values, createdAt: at, updatedAt: at });
    await refuseTaken(() => transaction.insert(Bot, bot as object));
    return bot;
  }

  /** What is not given stays. Throws SLUG_TAKEN. */
  async change(transaction: EntityManager, key: BotKey, changes: BotChanges): Promise<Changed<BotWithVersion>> {
    const before = await lockBot(transaction, key);
    const after = await this.save(transaction, before, botValues(before, changes));
    const version = await newestVersion(transaction, before.id);
    return { before: { bot: before, version }, after: { bot: after, version } };
  }

  /** Takes a bot away with all that it knows. Throws STATE_CONFLICT for one that visitors have talked to, or may. */
  async remove(transaction: EntityManager, key: BotKey): Promise<Bot> {
    const bot = await lockBot(transaction, key);
    if (await newestVersion(transaction, bot.id)) {
      throw new AppError('STATE_CONFLICT', 'A bot that was published stays, with its conversations. Pause it instead.');
    }
    await unindexAll(transaction, bot);
    for (const entity of [BotFaq, BotArticle, BotShortcut, BotForm]) {
      await transaction.delete<{ botId: string }>(entity, { botId: bot.id });
    }
    await transaction.delete(Bot, { id: bot.id });
    return bot;
  }

  /** Versions, newest first. `after` is a version's number. */
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

  /** The next version; a draft becomes active, a paused bot stays paused. */
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
   * Publishes a version of a given number. Lower than the newest changes nothing; of one that is there the tone is
   * put right.
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

  /** Visitors reach it no longer. Paused already, it stays so. Throws STATE_CONFLICT for a draft. */
  async pause(transaction: EntityManager, key: BotKey): Promise<Changed<BotWithVersion>> {
    return this.turn(transaction, key, 'paused');
  }

  /** Visitors reach it again. Active already, it stays so. Throws STATE_CONFLICT for what was never published. */
  async resume(transaction: EntityManager, key: BotKey): Promise<Changed<BotWithVersion>> {
    return this.turn(transaction, key, 'active');
  }

  /** Found by its public id, and made where it is not there. Throws STATE_CONFLICT for another organization's. */
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

  /** `before` must be locked. The search index speaks the bot's language: with another one it is made anew. */
  private async save(transaction: EntityManager, before: Bot, values: Partial<Bot>): Promise<Bot> {
    const after = await refuseTaken(() => transaction.save(transaction.create(Bot, { ...before, ...given(values) })));
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
    ...{ id: newId(), organizationId, botId },
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

/** The slug itself, or with the first number behind it that nobody in the workspace has. */
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

async function refuseTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, 'bots_slug')) {
      const message = 'There is a bot of this slug in the workspace already. Choose another slug.';
      throw new AppError('SLUG_TAKEN', message, { cause: error });
    }
    if (isUniqueViolation(error, 'bots_public_id')) {
      throw new AppError('NAME_TAKEN', 'There is a bot of this id already. Choose another id.', { cause: error });
    }
    throw error;
  }
}
