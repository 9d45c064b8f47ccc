import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { BotArticle, BotDirectory, type AvailableBot } from '@heliograph/bot-catalog';
import { readNewest } from '@heliograph/bot-conversations';
import { findAnswers, type Question } from '@heliograph/bot-search';
import { poolOf } from '@heliograph/database';
import { serviceUnavailable } from '@heliograph/errors';
import { DataSource } from 'typeorm';
import { LanguageModel } from '../language-model/language-model';
import type { Asked, EngineState, HistoryLine, Replied, ReplySources } from '../replies/reply';
import { replyTo } from '../replies/reply-engine';

/** Messages that a language model is told of, at most. */
const HISTORY_LENGTH = 12;

interface ReplyContext {
  /** Null at the start of one. */
  conversationId: string | null;
  onDelta?: ((text: string) => void) | undefined;
}

/** Gives the reply engine what it looks things up in. */
@Injectable()
export class ReplyService implements OnModuleDestroy {
  private readonly stop = new AbortController();

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(BotDirectory) private readonly directory: BotDirectory,
    @Inject(LanguageModel) private readonly model: LanguageModel,
  ) {}

  /** The bot's reply, and what it keeps. Throws INVALID_ACTION, and SERVICE_UNAVAILABLE once the service stops. */
  async reply(asked: Asked, bot: AvailableBot, state: EngineState, context: ReplyContext): Promise<Replied> {
    const hasModel = this.model.isConfigured && bot.settings.languageModel.isEnabled;
    const history = hasModel ? await this.history(context.conversationId) : [];
    const { signal } = this.stop;
    const replied = await replyTo(asked, bot, state, {
      ...this.sources(bot),
      askModel: (question, options) => this.model.answer(question, options),
      hasModel,
      history,
      signal,
      ...(context.onDelta ? { onDelta: context.onDelta } : {}),
    });
    // A model that was interrupted has nothing to say; what the bot says in its place is not to be stored.
    if (signal.aborted) throw serviceUnavailable('the service stops');
    return replied;
  }

  /** Throws INVALID_ACTION for an action that is not the bot's; asks no model. */
  async check(asked: Asked, bot: AvailableBot, state: EngineState): Promise<void> {
    await replyTo(asked, bot, state, { ...this.sources(bot), history: [] });
  }

  private sources(bot: AvailableBot): ReplySources {
    return {
      faq: (publicId) => this.directory.faq(bot.id, publicId),
      find: (question) => this.find(question),
      articleUrl: (articleId) => this.articleUrl(bot.id, articleId),
      askModel: () => Promise.resolve(null),
      hasModel: false,
    };
  }

  /** A FAQ that is nothing but words which say little, such as a greeting, is found by being asked as it stands. */
  private async find(question: Question): ReturnType<ReplySources['find']> {
    const found = await findAnswers(poolOf(this.dataSource), question);
    if (found.faqs.length > 0) return found;
    const faq = await this.directory.faqAskedSo(question.botId, question.text);
    if (!faq) return found;
    const { publicId: id, question: title, answer: text } = faq;
    return { ...found, faqs: [{ kind: 'faq', id, title, text, passage: 0, score: 1 }] };
  }

  private async articleUrl(botId: string, id: string): Promise<string | null> {
    const { rows } = await poolOf(this.dataSource).query<Pick<BotArticle, 'url'>>({
      name: 'bots-article-url',
      text: 'SELECT url FROM bots.articles WHERE id = $1 AND bot_id = $2 AND is_enabled AND is_published',
      values: [id, botId],
    });
    return rows[0]?.url ?? null;
  }

  private async history(conversationId: string | null): Promise<HistoryLine[]> {
    if (conversationId === null) return [];
    const messages = await readNewest(poolOf(this.dataSource), conversationId, HISTORY_LENGTH);
    return messages.map(({ role, content }) => ({ role, content }));
  }

  onModuleDestroy(): void {
    this.stop.abort();
  }
}
