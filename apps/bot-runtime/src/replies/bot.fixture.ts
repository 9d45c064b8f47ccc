import type { AvailableBot, AvailableForm, AvailableShortcut, BotFaq } from '@heliograph/bot-catalog';
import { readSettings } from '@heliograph/bot-catalog';
import type { Finding, Question } from '@heliograph/bot-search';
import type { ModelAnswer, ModelQuestion } from './reply';
import type { TurnSources } from './turn';

/** The bot of a shop with content of every kind. */
export function aBot({ settings = {}, ...more }: Partial<Omit<AvailableBot, 'settings'>> & { settings?: object } = {}) {
  const bot: AvailableBot = {
    id: '0190f000-0000-7000-8000-000000000001',
    organizationId: '0190f000-0000-7000-8000-000000000002',
    workspaceId: '0190f000-0000-7000-8000-000000000003',
    publicId: 'bot_shop',
    name: 'Ada',
    slug: 'ada',
    locale: 'en',
    version: { id: '0190f000-0000-7000-8000-000000000004', number: 3, tone: 'friendly' },
    branding: { color: '#4f46e5', logo: null, welcome: 'Hi' },
    allowedDomains: null,
    settings: readSettings(settings),
    shortcuts: [
      aShortcut('returns', { query: 'How do I return something?' }),
      aShortcut('person', { type: 'handoff' }),
      aShortcut('hours', { type: 'faq', query: 'hours' }),
      aShortcut('demo', { type: 'form', query: 'demo' }),
      aShortcut('retail', { type: 'something new', query: null, label: 'Our shops' }),
    ],
    forms: [
      aForm(
        'poll',
        ['poll'],
        [{ key: 'mood', label: 'Mood', type: 'select', required: true, options: ['good', 'bad'] }],
      ),
      aForm('demo', ['demo', 'product tour', 'démonstration', '体験予約']),
    ],
    suggestions: ['hours', 'shipping', 'returns', 'payment', 'contact'].map((id) => ({ id, label: `About ${id}` })),
    ...more,
  };
  return bot;
}

export function aShortcut(id: string, more: Partial<AvailableShortcut> = {}): AvailableShortcut {
  const type = 'knowledge_query';
  return { id, label: `The ${id}`, command: `/${id}`, description: '', type, query: null, displayOrder: 0, ...more };
}

export function aForm(id: string, triggerKeywords: string[], fields?: AvailableForm['fields']): AvailableForm {
  const email = { key: 'email', label: 'Email', type: 'email' as const, required: true };
  return { id, title: `Form ${id}`, triggerKeywords, fields: fields ?? [email], confirmation: null };
}

export function aFinding(id: string, score: number, more: Partial<Finding> = {}): Finding {
  return { kind: 'faq', id, title: `What about ${id}?`, text: `All about ${id}.`, passage: 0, score, ...more };
}

export type Knowledge = Record<string, Finding[]>;

/** In-memory sources: `knows` maps a text to its search results; `lookups` records the look-ups. */
export class SourcesInMemory implements TurnSources {
  readonly lookups: string[] = [];
  readonly modelQuestions: ModelQuestion[] = [];
  history: TurnSources['history'] = [];
  hasModel?: boolean;
  modelAnswer: ((question: ModelQuestion) => ModelAnswer | null) | null = null;
  onDelta?: (text: string) => void;
  signal?: AbortSignal;

  constructor(
    private readonly knows: Knowledge = {},
    private readonly faqs: readonly string[] = ['hours', 'shipping', 'returns', 'payment', 'contact'],
  ) {}

  faq(publicId: string): Promise<BotFaq | null> {
    const isKnown = this.faqs.includes(publicId);
    const faq = { publicId, question: `What about ${publicId}?`, answer: `All about ${publicId}.` } as BotFaq;
    return Promise.resolve(isKnown ? faq : null);
  }

  find({ text }: Question): Promise<{ faqs: Finding[]; knowledge: Finding[] }> {
    this.lookups.push(text);
    const found = this.knows[text] ?? [];
    return Promise.resolve({
      faqs: found.filter(({ kind }) => kind === 'faq'),
      knowledge: found.filter(({ kind }) => kind === 'knowledge'),
    });
  }

  articleUrl(articleId: string): Promise<string | null> {
    return Promise.resolve(articleId === 'private' ? null : `https://shop.example/${articleId}`);
  }

  askModel(question: ModelQuestion): Promise<ModelAnswer | null> {
    this.modelQuestions.push(question);
    return Promise.resolve(this.modelAnswer?.(question) ?? null);
  }
}
