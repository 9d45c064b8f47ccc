import { Column, Entity, Index } from 'typeorm';
import type { FormField } from '../form-field';
import { LiveItem, primaryId } from './live-item';

/** Questions whose answers become a lead. */
@Entity({ schema: 'bots', name: 'forms' })
@Index('forms_public_id', ['botId', 'publicId'], { unique: true })
export class BotForm extends LiveItem {
  @primaryId('forms')
  id: string;

  /** Unique within the bot. */
  @Column('text', { name: 'public_id' })
  publicId: string;

  @Column('text')
  title: string;

  /** A message that contains one of these words or phrases opens the form. */
  @Column('text', { name: 'trigger_keywords', array: true, default: [] })
  triggerKeywords: string[];

  @Column('jsonb')
  fields: FormField[];

  /** The reply to a submitted form; null for the default text. */
  @Column('text', { nullable: true })
  confirmation: string | null;

  @Column('integer', { name: 'display_order', default: 0 })
  displayOrder: number;
}
