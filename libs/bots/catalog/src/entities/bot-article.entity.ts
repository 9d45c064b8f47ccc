import { Column, Entity, Index } from 'typeorm';
import { LiveItem, primaryId } from './live-item';

/** A text in which the bot searches and from which it quotes. */
@Entity({ schema: 'bots', name: 'articles' })
@Index('articles_bot', ['botId', 'id'])
@Index('articles_title', ['botId', 'title'], { unique: true })
export class BotArticle extends LiveItem {
  @primaryId('articles')
  id: string;

  @Column('text')
  title: string;

  @Column('text')
  body: string;

  /** URL of the article on the website. */
  @Column('text', { nullable: true })
  url: string | null;
}
