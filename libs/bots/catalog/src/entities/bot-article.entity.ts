import { Column, Entity, Index } from 'typeorm';
import { LiveItem, primaryId } from './live-item';

/** A text that the bot knows and quotes from. */
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

  /** Where visitors may read it. */
  @Column('text', { nullable: true })
  url: string | null;
}
