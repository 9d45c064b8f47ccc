import { decideAnswer, type Finding, type AnswerDecision } from '@heliograph/bot-search';
import { pick, repliesOf } from './quick-replies';
import type { Replied, Source } from './reply';
import type { Turn } from './turn';

type Found = Awaited<ReturnType<Turn['sources']['find']>>;

const MAX_PASSAGES = 8;
/** If the search returns fewer passages, passages for the previous question are added. */
const FEW_PASSAGES = 3;
/** Minimum score of an FAQ that has exactly the question of the visitor. */
const EXACT_MATCH_SCORE = 0.9;

/** Searches for the text; the result is cached for all steps. */
export class Search {
  private found: Promise<Found> | null = null;

  constructor(
    private readonly turn: Turn,
    readonly text: string,
    private readonly options: { knowledgeFirst?: boolean } = {},
  ) {}

  /** Whether an FAQ has exactly the question of the visitor. */
  async findsExactQuestion(): Promise<boolean> {
    const decision = decideAnswer(await this.look());
    return decision.kind === 'answer' && isExactMatch(decision.finding);
  }

  /** Answers with an FAQ, a passage or the language model; otherwise `near` contains similar FAQs. */
  async answer(): Promise<{ replied: Replied } | { replied: null; near: Finding[] }> {
    const found = await this.look();
    const decision = this.decideAnswer(found);
    if (decision.kind === 'answer' && decision.finding.text.trim() !== '') {
      return { replied: await this.quote(decision.finding) };
    }
    if (decision.kind === 'choices') {
      const replied = this.offer(decision.findings);
      if (replied) return { replied };
    }
    const replied = await this.askModel(found);
    return replied ? { replied } : { replied, near: decision.kind === 'none' ? decision.near : found.faqs };
  }

  private decideAnswer(found: Found): AnswerDecision {
    if (!this.options.knowledgeFirst) return decideAnswer(found);
    const ofKnowledge = decideAnswer({ faqs: [], knowledge: found.knowledge });
    return ofKnowledge.kind === 'answer' ? ofKnowledge : decideAnswer(found);
  }

  private look(): Promise<Found> {
    return (this.found ??= this.find(this.text));
  }

  private find(text: string): Promise<Found> {
    const { bot, sources } = this.turn;
    return sources.find({ botId: bot.id, locale: bot.locale, text, synonyms: bot.settings.synonyms });
  }

  private async quote(finding: Finding): Promise<Replied> {
    if (finding.kind === 'faq') return this.turn.reply('faq', finding.text, { faqId: finding.id });
    return this.turn.reply('knowledge', finding.text, { sources: await this.sourcesOf([finding]) });
  }

  private offer(findings: readonly Finding[]): Replied | null {
    const { turn } = this;
    const quickReplies = pick(repliesOf(findings, turn.bot), turn.justAnswered);
    if (!quickReplies) return null;
    return turn.reply('choices', quickReplies.length > 1 ? turn.lines.whichOfThese : turn.lines.isItThis, {
      quickReplies,
    });
  }

  private async askModel(found: Found): Promise<Replied | null> {
    const { bot, sources } = this.turn;
    if (!bot.settings.languageModel.isEnabled || sources.hasModel === false) return null;
    const passages = await this.passagesFor(found);
    if (passages.length === 0) return null;
    const { history, onDelta, signal } = sources;
    const answer = await sources.askModel(
      { bot, text: this.text, history, passages },
      { ...(onDelta ? { onDelta } : {}), ...(signal ? { signal } : {}) },
    );
    if (!answer || answer.text.trim() === '') return null;
    return this.turn.reply('model', answer.text, { sources: await this.sourcesOf(answer.used) });
  }

  /**
   * Returns the best search results, best first. The search for a short question, such as `And in winter?`, includes
   * the previous question.
   */
  private async passagesFor(found: Found): Promise<Finding[]> {
    const all = [...found.faqs, ...found.knowledge];
    const before = this.turn.sources.history.findLast(({ role }) => role === 'user')?.content;
    if (this.turn.sources.hasModel === true && all.length < FEW_PASSAGES && before !== undefined) {
      const more = await this.find(`${before}\n${this.text}`);
      all.push(...more.faqs, ...more.knowledge);
    }
    const best = new Map<string, Finding>();
    for (const finding of all.toSorted((a, b) => b.score - a.score)) {
      const key = `${finding.kind} ${finding.id} ${finding.passage}`;
      if (!best.has(key)) best.set(key, finding);
    }
    return [...best.values()].slice(0, MAX_PASSAGES);
  }

  /** Returns the unique sources of an answer. An FAQ has no page and therefore no URL. */
  private async sourcesOf(findings: readonly Finding[]): Promise<Source[]> {
    const named = new Map(findings.map((finding) => [`${finding.kind} ${finding.id}`, finding]));
    return Promise.all(
      [...named.values()].map(async ({ kind, id, title }) => {
        const url = kind === 'knowledge' ? await this.turn.sources.articleUrl(id) : null;
        return url === null ? { title } : { title, url };
      }),
    );
  }
}

function isExactMatch({ kind, score }: Finding): boolean {
  return kind === 'faq' && score >= EXACT_MATCH_SCORE;
}
