import { Inject, Injectable, OnModuleDestroy } from '@nestjs/common';
import { BotArticle, BotDirectory, type AvailableBot } from '@heliograph/bot-catalog';
import { readNewest } from '@heliograph/bot-conversations';
import { findAnswers, type Question } from '@heliograph/bot-search';
import { serviceUnavailable } from '@heliograph/errors';
import { EventLoopLoad, FairSemaphore, LaneObserver } from '@heliograph/fairness';
import { CONFIG } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { BotRuntimeConfig } from '../bot-runtime.config';
import { LanguageModel } from '../language-model/language-model';
import type { TurnInput, EngineState, HistoryLine, Replied, ReplySources } from '../replies/reply';
import { replyTo } from '../replies/reply-engine';

/** Maximum number of earlier messages in the prompt of a language model. */
const HISTORY_LENGTH = 12;

/** Searches of one organization that wait for others of it. */
const MAX_WAITING = 500;
/** A visitor does not wait longer for a reply. */
const MAX_WAIT_MS = 10_000;

/** One search in PostgreSQL, and one whose reply is composed. */
const MAX_OF_NOISY_ORGANIZATION = 2;

interface ReplyContext {
  /** Null at the start of a conversation. */
  conversationId: string | null;
  onDelta?: ((text: string) => void) | undefined;
}

/** Provides the reply engine with its data sources. */
@Injectable()
export class ReplyService implements OnModuleDestroy {
  private readonly stop = new AbortController();
  private readonly searches: FairSemaphore<'search'>;

  constructor(
    private readonly pool: Pool,
    private readonly directory: BotDirectory,
    private readonly model: LanguageModel,
    @Inject(CONFIG) { BOT_SEARCHES: slots }: BotRuntimeConfig,
    observer: LaneObserver,
  ) {
    this.searches = new FairSemaphore(
      {
        stage: 'bot-search',
        slots,
        spareSlots: 1,
        kinds: { search: { weight: 1, maxWaiting: MAX_WAITING } },
        maxWaitMs: MAX_WAIT_MS,
        saturation: { isSaturated: new EventLoopLoad().isSaturated, maxOfNoisyOwner: MAX_OF_NOISY_ORGANIZATION },
      },
      observer,
    );
  }

  /**
   * Returns the bot's reply and the new state. Throws INVALID_ACTION, RATE_LIMITED if too many searches of the organization wait,
   * and SERVICE_UNAVAILABLE during shutdown.
   */
  async reply(input: TurnInput, bot: AvailableBot, state: EngineState, context: ReplyContext): Promise<Replied> {
    const hasModel = this.model.isConfigured && bot.settings.languageModel.isEnabled;
    const history = hasModel ? await this.history(context.conversationId) : [];
    const { signal } = this.stop;
    const replied = await replyTo(input, bot, state, {
      ...this.sources(bot),
      askModel: (question, options) => this.model.answer(question, options),
      hasModel,
      history,
      signal,
      ...(context.onDelta ? { onDelta: context.onDelta } : {}),
    });
    // The shutdown has interrupted the model, so the reply is a fallback, which must not be stored.
    if (signal.aborted) throw serviceUnavailable('the service is shutting down');
    return replied;
  }

  /** Throws INVALID_ACTION for an action that does not belong to the bot. Does not call the model. */
  async check(input: TurnInput, bot: AvailableBot, state: EngineState): Promise<void> {
    await replyTo(input, bot, state, { ...this.sources(bot), history: [] });
  }

  private sources(bot: AvailableBot): ReplySources {
    return {
      faq: (publicId) => this.directory.faq(bot.id, publicId),
      find: (question) => this.searches.run('search', bot.organizationId, () => this.find(question)),
      articleUrl: (articleId) => this.articleUrl(bot.id, articleId),
      askModel: () => Promise.resolve(null),
      hasModel: false,
    };
  }

  /** Also finds FAQs that consist of stop words, such as a greeting. The search finds them only by their exact wording. */
  private async find(question: Question): ReturnType<ReplySources['find']> {
    const found = await findAnswers(this.pool, question);
    if (found.faqs.length > 0) return found;
    const faq = await this.directory.faqAskedSo(question.botId, question.text);
    if (!faq) return found;
    const { publicId: id, question: title, answer: text } = faq;
    return { ...found, faqs: [{ kind: 'faq', id, title, text, passage: 0, score: 1 }] };
  }

  private async articleUrl(botId: string, id: string): Promise<string | null> {
    const { rows } = await this.pool.query<Pick<BotArticle, 'url'>>({
      name: 'bots-article-url',
      text: 'SELECT url FROM bots.articles WHERE id = $1 AND bot_id = $2 AND is_enabled AND is_published',
      values: [id, botId],
    });
    return rows[0]?.url ?? null;
  }

  private async history(conversationId: string | null): Promise<HistoryLine[]> {
    if (conversationId === null) return [];
    const messages = await readNewest(this.pool, conversationId, HISTORY_LENGTH);
    return messages.map(({ role, content }) => ({ role, content }));
  }

  onModuleDestroy(): void {
    this.stop.abort();
  }
}
