import {
  Bot,
  BotArticle,
  BotFaq,
  BotForm,
  BotShortcut,
  BotVersion,
  type BotStatus,
  type FormField,
} from '@heliograph/bot-catalog';
import { indexItems, type SearchItem } from '@heliograph/bot-search';
import { newId } from '@heliograph/database';
import { unique } from '@heliograph/testing';
import type { DataSource } from 'typeorm';

interface Live {
  enabled?: boolean;
  published?: boolean;
}

export interface BotDetails {
  organizationId?: string;
  workspaceId?: string;
  publicId?: string;
  name?: string;
  slug?: string;
  locale?: string;
  status?: BotStatus;
  avatarUrl?: string | null;
  settings?: Record<string, unknown>;
  /** `null` without a published version. */
  version?: { number?: number; tone?: string } | null;
  faqs?: (Live & { id?: string; question: string; answer: string; phrasings?: string[]; label?: string | null })[];
  knowledge?: (Live & { title: string; body: string; url?: string | null })[];
  shortcuts?: (Live & {
    id?: string;
    label: string;
    command: string;
    description?: string;
    type?: string;
    query?: string | null;
  })[];
  forms?: (Live & {
    id?: string;
    title: string;
    keywords?: string[];
    fields: (Omit<FormField, 'required' | 'label'> & { required?: boolean; label?: string })[];
    confirmation?: string | null;
  })[];
}

export interface MadeBot {
  id: string;
  publicId: string;
  organizationId: string;
  workspaceId: string;
  version: { id: string; number: number };
}

/** Stores a bot with its content, and adds its published content to the search index, in one transaction. */
export function makeBot(dataSource: DataSource, details: BotDetails = {}): Promise<MadeBot> {
  const name = details.name ?? 'Acme Help';
  const bot = {
    id: newId(),
    organizationId: details.organizationId ?? newId(),
    workspaceId: details.workspaceId ?? newId(),
    publicId: details.publicId ?? `bot_${unique()}`,
    locale: details.locale ?? 'en',
  };
  const version = { id: newId(), number: details.version?.number ?? 1, tone: details.version?.tone ?? 'friendly' };
  const own = ({ enabled, published }: Live) => ({
    id: newId(),
    organizationId: bot.organizationId,
    botId: bot.id,
    isEnabled: enabled ?? true,
    isPublished: published ?? true,
  });
  return dataSource.transaction(async (transaction) => {
    await transaction.insert(Bot, {
      ...bot,
      name,
      slug: details.slug ?? `bot-${unique()}`,
      status: details.status ?? 'active',
      avatarUrl: details.avatarUrl ?? null,
      settings: (details.settings ?? {}) as object,
    });
    if (details.version !== null) {
      const { organizationId } = bot;
      await transaction.insert(BotVersion, { ...version, organizationId, botId: bot.id, note: null });
    }
    const faqs = (details.faqs ?? []).map(({ id, question, answer, phrasings, label, ...live }, displayOrder) => ({
      ...own(live),
      publicId: id ?? `faq_${unique()}`,
      question,
      answer,
      phrasings: phrasings ?? [],
      label: label ?? null,
      displayOrder,
    }));
    const articles = (details.knowledge ?? []).map(({ title, body, url, ...live }) => ({
      ...own(live),
      title,
      body,
      url: url ?? null,
    }));
    if (faqs.length > 0) await transaction.insert(BotFaq, faqs);
    if (articles.length > 0) await transaction.insert(BotArticle, articles);
    for (const [displayOrder, { id, label, command, description, type, query, ...live }] of (
      details.shortcuts ?? []
    ).entries()) {
      await transaction.insert(BotShortcut, {
        ...own(live),
        publicId: id ?? `shortcut_${unique()}`,
        label,
        command,
        displayOrder,
        query: query ?? null,
        description: description ?? '',
        type: type ?? 'knowledge_query',
      });
    }
    for (const [displayOrder, { id, title, keywords, fields, confirmation, ...live }] of (
      details.forms ?? []
    ).entries()) {
      await transaction.insert(BotForm, {
        ...own(live),
        publicId: id ?? `form_${unique()}`,
        title,
        triggerKeywords: keywords ?? [],
        displayOrder,
        confirmation: confirmation ?? null,
        fields: fields.map((field) => ({ label: field.key, required: false, ...field })),
      });
    }
    const items: SearchItem[] = [
      ...faqs.filter(isLive).map(({ publicId: id, question: title, phrasings, answer: body }) => ({
        kind: 'faq' as const,
        id,
        title,
        phrasings,
        body,
      })),
      ...articles
        .filter(isLive)
        .map(({ id, title, body }) => ({ kind: 'knowledge' as const, id, title, phrasings: [], body })),
    ];
    if (items.length > 0) await indexItems(transaction, bot, items);
    return { ...bot, version };
  });
}

function isLive({ isEnabled, isPublished }: { isEnabled: boolean; isPublished: boolean }): boolean {
  return isEnabled && isPublished;
}
