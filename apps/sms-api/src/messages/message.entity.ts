import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { SmsEncoding } from '@heliograph/sms-text';

export type MessageStatus = 'scheduled' | 'queued' | 'sent' | 'delivered' | 'failed' | 'canceled';

/** An accepted and charged message. Written by the functions of the sms schema. */
@Entity({ schema: 'sms', name: 'messages' })
@Check('messages_status_check', `status IN ('scheduled', 'queued', 'sent', 'delivered', 'failed', 'canceled')`)
export class Message {
  /** UUIDv7; its timestamp determines the partition. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'messages_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  @Column('uuid', { name: 'sender_id' })
  senderId: string;

  @Column('uuid', { name: 'template_id' })
  templateId: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'scheduled_at', nullable: true })
  scheduledAt: Date | null;

  /**
   * End of the lease of the worker that submits the message. If it has passed without a recorded outcome, the outcome
   * of the submit is unknown.
   */
  @Column('timestamptz', { name: 'claimed_until', nullable: true })
  claimedUntil: Date | null;

  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;

  /** Time of delivery or failure. */
  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt: Date | null;

  @Column('integer', { name: 'credits_cost' })
  creditsCost: number;

  @Column('smallint')
  segments: number;

  /** Number of submits to a carrier. */
  @Column('smallint', { default: 0 })
  submits: number;

  @Column('boolean')
  flash: boolean;

  @Column('text')
  status: MessageStatus;

  @Column('text')
  encoding: SmsEncoding;

  @Column('text')
  country: string;

  /** Sender header when the message was accepted. */
  @Column('text')
  header: string;

  /** E.164 */
  @Column('text')
  recipient: string;

  @Column('text')
  body: string;

  @Column('text', { name: 'dlt_entity_id', nullable: true })
  dltEntityId: string | null;

  @Column('text', { name: 'dlt_template_id', nullable: true })
  dltTemplateId: string | null;

  @Column('text', { nullable: true })
  carrier: string | null;

  @Column('text', { name: 'last_error', nullable: true })
  lastError: string | null;

  /** X-Request-Id of the send request. */
  @Column('text', { name: 'correlation_id', nullable: true })
  correlationId: string | null;
}
