import { Column, Entity, Index } from 'typeorm';
import { LiveItem, primaryId } from './live-item';

/** A button, and a word after a slash, that asks something for the visitor. */
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

  /** A slash and a word, in small letters. */
  @Column('text')
  command: string;

  @Column('text', { default: '' })
  description: string;

  /** `knowledge_query` asks `query`; `faq` and `form` name what they show in it; `handoff` calls a person. */
  @Column('text')
  type: string;

  /** Null: the label. */
  @Column('text', { nullable: true })
  query: string | null;

  @Column('integer', { name: 'display_order', default: 0 })
  displayOrder: number;
}
