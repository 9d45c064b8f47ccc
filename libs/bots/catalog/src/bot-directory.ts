import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { CachedLookup, ChangeFeed } from '@heliograph/database';
import { IsNull, Not, Repository } from 'typeorm';
import { DEFAULT_COLOR, type AvailableBot } from './available-bot';
import { BotFaq } from './entities/bot-faq.entity';
import { BotForm } from './entities/bot-form.entity';
import { BotShortcut } from './entities/bot-shortcut.entity';
import { BotVersion } from './entities/bot-version.entity';
import { Bot } from './entities/bot.entity';
import { readSettings } from './settings';
import { welcomeText } from './welcome-text';

const MAX_SUGGESTIONS = 6;
const LONGEST_ID = 200;
const LONGEST_QUESTION = 500;
/** PostgreSQL rejects text that contains NUL. */
const couldBeId = (text: string): boolean => text.length <= LONGEST_ID && !text.includes('\0');
const LIVE = { isEnabled: true, isPublished: true };

/** The bots that visitors can reach. Cached in process until they change, because every visitor request needs one. */
@Injectable()
export class BotDirectory {
  private readonly bots: CachedLookup<AvailableBot | null>;

  constructor(
    @InjectRepository(Bot) private readonly botTable: Repository<Bot>,
    @InjectRepository(BotVersion) private readonly versionTable: Repository<BotVersion>,
    @InjectRepository(BotFaq) private readonly faqTable: Repository<BotFaq>,
    @InjectRepository(BotShortcut) private readonly shortcutTable: Repository<BotShortcut>,
    @InjectRepository(BotForm) private readonly formTable: Repository<BotForm>,
    changes: ChangeFeed,
  ) {
    this.bots = new CachedLookup(changes, {
      tables: ['bots.bots', 'bots.versions', 'bots.faqs', 'bots.shortcuts', 'bots.forms'],
      load: (publicId) => this.load(publicId),
      organizationOf: (_publicId, bot) => bot?.organizationId ?? null,
      maxEntries: 10_000,
    });
  }

  /** Null for a bot that is unknown, a draft, paused, or has no published version. */
  async available(publicId: string): Promise<AvailableBot | null> {
    return couldBeId(publicId) ? this.bots.get(publicId) : null;
  }

  /** Returns an enabled and published FAQ by its public id. */
  async faq(botId: string, publicId: string): Promise<BotFaq | null> {
    if (!couldBeId(publicId)) return null;
    return this.faqTable.findOneBy({ botId, publicId, ...LIVE });
  }

  /**
   * Returns the FAQ whose question or alternative phrasing equals the text, ignoring case and leading and trailing
   * punctuation. It finds texts that the search does not, such as greetings.
   */
  async faqAskedSo(botId: string, text: string): Promise<BotFaq | null> {
    if (text.length > LONGEST_QUESTION) return null;
    const bare = (column: string) => `btrim(lower(${column}), ' ?!.,;:¿¡')`;
    return this.faqTable
      .createQueryBuilder('faq')
      .where({ botId, ...LIVE })
      .andWhere(
        `(${bare('faq.question')} = ${bare(':text')} OR EXISTS (
           SELECT FROM unnest(faq.phrasings) AS phrasing WHERE ${bare('phrasing')} = ${bare(':text')}))`,
        { text },
      )
      .orderBy('faq.displayOrder')
      .addOrderBy('faq.id')
      .getOne();
  }

  private async load(publicId: string): Promise<AvailableBot | null> {
    const bot = await this.botTable.findOneBy({ publicId, status: 'active' });
    if (!bot) return null;
    const { id: botId, name, locale } = bot;
    const inOrder = { displayOrder: 'ASC', id: 'ASC' } as const;
    const [version, shortcuts, forms, suggested] = await Promise.all([
      this.versionTable.findOne({ where: { botId }, order: { number: 'DESC' } }),
      this.shortcutTable.find({ where: { botId, ...LIVE }, order: inOrder }),
      this.formTable.find({ where: { botId, ...LIVE }, order: inOrder }),
      this.faqTable.find({
        where: { botId, ...LIVE, label: Not(IsNull()) },
        select: { id: true, publicId: true, label: true },
        order: inOrder,
        take: MAX_SUGGESTIONS,
      }),
    ]);
    if (!version) return null;
    const settings = readSettings(bot.settings, bot.avatarUrl);
    return {
      id: botId,
      organizationId: bot.organizationId,
      workspaceId: bot.workspaceId,
      publicId,
      name,
      slug: bot.slug,
      locale,
      version: { id: version.id, number: version.number, tone: version.tone },
      branding: {
        color: settings.color ?? DEFAULT_COLOR,
        logo: settings.logo,
        welcome: settings.welcome ?? welcomeText(name, version.tone, locale),
      },
      allowedDomains: settings.allowedDomains,
      settings,
      shortcuts: shortcuts.map(({ publicId: id, label, command, description, type, query, displayOrder }) => ({
        id,
        label,
        command,
        description,
        type,
        query,
        displayOrder,
      })),
      forms: forms.map(({ publicId: id, title, triggerKeywords, fields, confirmation }) => ({
        id,
        title,
        triggerKeywords,
        fields,
        confirmation,
      })),
      suggestions: suggested.map(({ publicId: id, label }) => ({ id, label: label ?? '' })),
    };
  }
}
