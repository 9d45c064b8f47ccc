import { Column, Entity, Index } from 'typeorm';
import { LiveItem, primaryId } from './live-item';

/** A button and a slash command that send a predefined question. */
@Entity({ schema: 'bots', name: 'shortcuts' })
@Index('shortcuts_public_id', ['botId', 'publicId'], { unique: true })
@Index('shortcuts_command', ['botId', 'command'], { unique: true })
@Index('shortcuts_order', ['botId', 'displayOrder', 'id'])
export class BotShortcut extends LiveItem {
  @primaryId('shortcuts')
  id: string;

  /** Unique within the bot. */
  @Column('text', { name: 'public_id' })
  publicId: string;

  @Column('text')
  label: string;

  /** A slash and a lower-case word. */
  @Column('text')
  command: string;

  @Column('text', { default: '' })
  description: string;

  /**
   * `knowledge_query` searches for `query`; `faq` and `form` show the item whose id is `query`; `handoff` requests a
   * person.
   */
  @Column('text')
  type: string;

  /** Null: the label is the query. */
  @Column('text', { nullable: true })
  query: string | null;

  @Column('integer', { name: 'display_order', default: 0 })
  displayOrder: number;
}
