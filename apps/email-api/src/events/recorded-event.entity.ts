import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecipientEventType } from './recipient-event';

/** A recorded event for the mail of one recipient. */
@Entity({ schema: 'email', name: 'events' })
@Check('events_type_check', `type IN ('delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed')`)
export class RecordedEmailEvent {
  @PrimaryColumn('uuid', { name: 'message_id', primaryKeyConstraintName: 'events_pkey' })
  messageId: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'events_pkey' })
  id: string;

  @Column('smallint')
  position: number;

  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt: Date;

  @Column('text')
  type: RecipientEventType;

  @Column('text', { nullable: true })
  url: string | null;

  @Column('text', { nullable: true })
  reason: string | null;
}
