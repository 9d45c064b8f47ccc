import { checkAddress, filled, lineOf, MAX_NAME_LENGTH, textOf } from '../catalog-rules';
import { BotArticle } from '../entities/bot-article.entity';
import { LIVE, liveColumns, livenessOf, type ContentKind, type Liveness } from './content-kind';

export const MAX_BODY_LENGTH = 200_000;
const MAX_ARTICLES = 20_000;

export interface ArticleDetails extends Liveness {
  /** Unique within the bot. */
  title: string;
  body: string;
  /** URL of the article on the website. */
  url: string | null;
}

export const ARTICLES: ContentKind<BotArticle, ArticleDetails> = {
  entity: BotArticle,
  name: 'knowledge article',
  idPrefix: 'article',
  most: MAX_ARTICLES,
  idField: 'id',
  unique: [{ column: 'title', field: 'title' }],
  naturalKeyOf: ({ title }) => (title === undefined ? undefined : titleOf(title)),
  unlisted: 'body',
  defaults: { url: null, ...LIVE },
  valuesOf: (details) => ({
    title: titleOf(details.title),
    body: filled('body', textOf('body', details.body, MAX_BODY_LENGTH)),
    url: checkAddress('url', details.url),
    ...liveColumns(details),
  }),
  detailsOf: (article) => {
    const { title, body, url } = article;
    return { title, body, url, ...livenessOf(article) };
  },
  search: {
    kind: 'knowledge',
    itemOf: ({ id, title, body }) => ({ kind: 'knowledge', id, title, phrasings: [], body }),
  },
};

function titleOf(title: string): string {
  return filled('title', lineOf('title', title, MAX_NAME_LENGTH));
}
