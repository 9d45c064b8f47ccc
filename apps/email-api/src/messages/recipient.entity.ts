import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * waiting: scheduled. sending: in progress. deferred: waiting for a retry. sent: accepted by the backend, possibly
 * twice. failed: refused and refunded.
 */
export type RecipientState = 'waiting' | 'sending' | 'deferred' | 'sent' | 'failed' | 'skipped' | 'canceled';

@Entity({ schema: 'email', name: 'recipients' })
@Check('recipients_state_check', `state IN ('waiting', 'sending', 'deferred', 'sent', 'failed', 'skipped', 'canceled')`)
@Check('recipients_outcome_check', `outcome IN ('delivered', 'bounced')`)
export class EmailRecipient {
  @PrimaryColumn('uuid', { name: 'message_id', primaryKeyConstraintName: 'recipients_pkey' })
  messageId: string;

  /** Index of the recipient in the request, starting at 0. */
  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'recipients_pkey' })
  position: number;

  /** Number of copies that may have been sent without a confirmation. */
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

  /** Outcome reported by a notification. */
  @Column('text', { nullable: true })
  outcome: 'delivered' | 'bounced' | null;

  @Column('text')
  address: string;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;
}
