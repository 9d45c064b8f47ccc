import { Column, Entity, Index } from 'typeorm';
import { LiveItem, primaryId } from './live-item';

/** A question that visitors ask, and its answer. */
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

  /** Other ways to ask it. */
  @Column('text', { array: true, default: [] })
  phrasings: string[];

  @Column('text')
  answer: string;

  /** Of its button; one with a label is suggested by itself, in the order of `displayOrder`. */
  @Column('text', { nullable: true })
  label: string | null;

  @Column('integer', { name: 'display_order', default: 0 })
  displayOrder: number;
}
