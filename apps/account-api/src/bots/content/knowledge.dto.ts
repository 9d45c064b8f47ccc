import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ARTICLES, MAX_BODY_LENGTH, type ArticleDetails, type BotArticle } from '@heliograph/bot-catalog';
import { IsFilledText, MayBeAbsent, MayBeEmpty } from '../../http/rules';
import type { NotedKind } from './content.service';
import { LiveChanges, LiveRecord, liveRecord, LiveRequest } from './live-record';

const MAX_TITLE_LENGTH = 200;
const titleOf = { example: 'Returns', maxLength: MAX_TITLE_LENGTH, description: 'Unique within the bot' } as const;
const bodyOf = {
  ...{ example: 'Goods can be returned within 30 days.', maxLength: MAX_BODY_LENGTH },
  description: 'Markup goes, its words and safe links stay; the bot quotes its paragraphs',
} as const;
const urlOf = {
  ...{ type: String, nullable: true, example: 'https://acme.example/returns', maxLength: 2_000 },
  description: 'Where visitors may read it: http or https',
} as const;
/** An emoji is two of the characters that JSON counts, and one of ours. */
const LONGEST_TITLE = 2 * MAX_TITLE_LENGTH;
const LONGEST_BODY = 2 * MAX_BODY_LENGTH;

export const NOTED_ARTICLES: NotedKind<BotArticle, ArticleDetails> = { ...ARTICLES, noun: 'article' };

export class ArticleEntry extends LiveRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
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

export class OneArticle {
  @ApiProperty()
  article: ArticleRecord;
}

export class ArticlePage {
  @ApiProperty({ type: [ArticleEntry] })
  articles: ArticleEntry[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class CreateArticleRequest extends LiveRequest {
  @ApiProperty(titleOf)
  @IsFilledText(LONGEST_TITLE)
  title: string;
  @ApiProperty(bodyOf)
  @IsFilledText(LONGEST_BODY)
  body: string;
  @ApiPropertyOptional(urlOf)
  @MayBeEmpty()
  @IsFilledText(2_000)
  url: string | null = null;
}

export class ChangeArticleRequest extends LiveChanges {
  @ApiPropertyOptional(titleOf)
  @MayBeAbsent()
  @IsFilledText(LONGEST_TITLE)
  title?: string;
  @ApiPropertyOptional(bodyOf)
  @MayBeAbsent()
  @IsFilledText(LONGEST_BODY)
  body?: string;
  @ApiPropertyOptional(urlOf)
  @MayBeEmpty()
  @IsFilledText(2_000)
  url?: string | null;
}
