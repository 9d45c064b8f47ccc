import { Column, Entity, Index } from 'typeorm';
import { LiveItem, primaryId } from './live-item';

/** A frequent question with its answer. */
@Entity({ schema: 'bots', name: 'faqs' })
@Index('faqs_public_id', ['botId', 'publicId'], { unique: true })
@Index('faqs_order', ['botId', 'displayOrder', 'id'])
export class BotFaq extends LiveItem {
  @primaryId('faqs')
  id: string;

  /** Unique within the bot. */
  @Column('text', { name: 'public_id' })
  publicId: string;

  @Column('text')
  question: string;

  /** Alternative phrasings of the question. */
  @Column('text', { array: true, default: [] })
  phrasings: string[];

  @Column('text')
  answer: string;

  /** Label of its button. The bot suggests every FAQ that has a label, sorted by `displayOrder`. */
  @Column('text', { nullable: true })
  label: string | null;

  @Column('integer', { name: 'display_order', default: 0 })
  displayOrder: number;
}
