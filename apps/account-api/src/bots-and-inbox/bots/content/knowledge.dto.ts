import type { Uuid } from '@heliograph/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ARTICLES, MAX_BODY_LENGTH, type ArticleDetails, type BotArticle } from '@heliograph/bot-catalog';
import { One, ListOf } from '../../../http/answers';
import { ChangesOf } from '../../../http/changes-of';
import { IsNonBlankText, OptionalNullable } from '../../../http/rules';
import type { ManagedContent } from './content.service';
import { LiveRecord, liveRecord, LiveRequest } from './live-record';

const MAX_TITLE_LENGTH = 200;
const titleOf = {
  example: 'Returns',
  maxLength: MAX_TITLE_LENGTH,
  description: 'Title, unique within the bot',
} as const;
const bodyOf = {
  example: 'Goods can be returned within 30 days.',
  maxLength: MAX_BODY_LENGTH,
  description:
    'Text of the article. HTML is removed, except text and safe links. The bot quotes paragraphs of this text.',
} as const;
const urlOf = {
  type: String,
  nullable: true,
  example: 'https://acme.example/returns',
  maxLength: 2_000,
  description: 'URL of the public page of the article, with http or https',
} as const;
/** The catalog limits code points; validation counts UTF-16 units, of which an emoji needs two. */
const MAX_TITLE_UNITS = 2 * MAX_TITLE_LENGTH;
const MAX_BODY_UNITS = 2 * MAX_BODY_LENGTH;

export class ArticleEntry extends LiveRecord {
  id: Uuid;
  @ApiProperty(titleOf)
  title: string;
  @ApiProperty(urlOf)
  url: string | null;

  static of(article: BotArticle): ArticleEntry {
    const { id, title, url } = article;
    return { id, title, url, ...liveRecord(article) };
  }
}

export class ArticleRecord extends ArticleEntry {
  @ApiProperty(bodyOf)
  body: string;

  static override of(article: BotArticle): ArticleRecord {
    return { ...ArticleEntry.of(article), body: article.body };
  }
}

export class OneArticle extends One('article', ArticleRecord) {}

export class ArticlePage extends ListOf('articles', ArticleEntry) {}

export const ARTICLE_CONTENT: ManagedContent<BotArticle, ArticleDetails, OneArticle, ArticlePage> = {
  ...ARTICLES,
  noun: 'article',
  one: OneArticle,
  page: ArticlePage,
};

export class CreateArticleRequest extends LiveRequest {
  @ApiProperty(titleOf)
  @IsNonBlankText(MAX_TITLE_UNITS)
  title: string;
  @ApiProperty(bodyOf)
  @IsNonBlankText(MAX_BODY_UNITS)
  body: string;
  @ApiPropertyOptional(urlOf)
  @OptionalNullable()
  @IsNonBlankText(2_000)
  url: string | null = null;
}

export class ChangeArticleRequest extends ChangesOf(CreateArticleRequest, [
  'title',
  'body',
  'url',
  'enabled',
  'published',
]) {}
