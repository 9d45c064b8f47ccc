import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * waiting: scheduled. sending: in a process's hands. deferred: to be tried again. sent: the backend has it, or may have
 * it twice. failed: refused, refunded.
 */
export type RecipientState = 'waiting' | 'sending' | 'deferred' | 'sent' | 'failed' | 'skipped' | 'canceled';

@Entity({ schema: 'email', name: 'recipients' })
@Check('recipients_state_check', `state IN ('waiting', 'sending', 'deferred', 'sent', 'failed', 'skipped', 'canceled')`)
@Check('recipients_outcome_check', `outcome IN ('delivered', 'bounced')`)
export class EmailRecipient {
  @PrimaryColumn('uuid', { name: 'message_id', primaryKeyConstraintName: 'recipients_pkey' })
  messageId: string;

  /** From 0, in the order of the request. */
  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'recipients_pkey' })
  position: number;

  /** That may have left with no answer that said so. */
  @Column('smallint', { default: 0 })
  copies: number;

  @Column('smallint', { default: 0 })
  attempts: number;

  @Column('timestamptz', { name: 'first_tried_at', nullable: true })
  firstTriedAt: Date | null;

  @Column('timestamptz', { name: 'next_try_at', nullable: true })
  nextTryAt: Date | null;

  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;

  @Column('text')
  state: RecipientState;

  /** What came back. */
  @Column('text', { nullable: true })
  outcome: 'delivered' | 'bounced' | null;

  @Column('text')
  address: string;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;
}
