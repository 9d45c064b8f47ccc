import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Category } from '@heliograph/chatapp-catalog';

export type MessageStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';

/** A message in either direction. The functions of the chatapp schema write it. */
@Entity({ schema: 'chatapp', name: 'messages' })
@Index('messages_inbound_upstream_id', ['upstreamId'], { unique: true, where: `direction = 'inbound'` })
@Index('messages_outbound_upstream_id', ['upstreamId'], {
  where: `direction = 'outbound' AND upstream_id IS NOT NULL`,
})
@Index('messages_workspace', ['workspaceId', 'id'])
@Index('messages_unsettled', ['id'], {
  where: `direction = 'outbound' AND status = 'accepted' AND upstream_id IS NULL`,
})
@Index('messages_unattributed', ['sender'], { where: `direction = 'inbound' AND organization_id IS NULL` })
@Index('messages_media', ['mediaId'], { where: 'media_id IS NOT NULL' })
@Check('messages_direction_check', `direction IN ('outbound', 'inbound')`)
@Check('messages_status_check', `status IN ('accepted', 'sent', 'delivered', 'read', 'failed', 'received')`)
export class ChatappMessage {
  /** UUIDv7, which sorts by creation time. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'messages_pkey' })
  id: string;

  /** Null for a message to an unknown phone number id. */
  @Column('uuid', { name: 'account_id', nullable: true })
  accountId: string | null;

  /** Null for an inbound message from a number that no organization has written to. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('uuid', { name: 'workspace_id', nullable: true })
  workspaceId: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt: Date | null;

  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt: Date | null;

  @Column('timestamptz', { name: 'read_at', nullable: true })
  readAt: Date | null;

  @Column('timestamptz', { name: 'failed_at', nullable: true })
  failedAt: Date | null;

  @Column('integer', { nullable: true })
  price: number | null;

  @Column('integer', { name: 'error_code', nullable: true })
  errorCode: number | null;

  /** The month of the allowance that the message used. */
  @Column('date', { name: 'allowance_month', nullable: true })
  allowanceMonth: string | null;

  /** Whether a free allowance applied. */
  @Column('boolean', { name: 'is_free', default: () => 'false' })
  isFree: boolean;

  /** Whether the price was charged and not refunded. */
  @Column('boolean', { name: 'is_charged', default: () => 'false' })
  isCharged: boolean;

  /** Marked as failed because no answer came; a later status can revoke the failure. */
  @Column('boolean', { name: 'is_presumed', default: () => 'false' })
  isPresumed: boolean;

  @Column('text')
  direction: 'outbound' | 'inbound';

  @Column('text')
  status: MessageStatus;

  @Column('text')
  type: string;

  @Column('text')
  recipient: string;

  @Column('text')
  sender: string;

  @Column('text', { name: 'upstream_id', nullable: true })
  upstreamId: string | null;

  @Column('text', { nullable: true })
  category: Category | null;

  @Column('text', { nullable: true })
  currency: string | null;

  @Column('text', { name: 'template_name', nullable: true })
  templateName: string | null;

  @Column('text', { nullable: true })
  error: string | null;

  /** The media of an inbound message. */
  @Column('text', { name: 'media_id', nullable: true })
  mediaId: string | null;

  @Column('text', { name: 'correlation_id', nullable: true })
  correlationId: string | null;

  /** An inbound message in the provider's format. */
  @Column('jsonb', { nullable: true })
  payload: Record<string, unknown> | null;
}
