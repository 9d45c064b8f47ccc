import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { MailAttachment } from '../sending/sent-message';

export type MessageStatus = 'scheduled' | 'sending' | 'sent' | 'failed' | 'skipped' | 'canceled';

/** An accepted send. Written by the functions of the email schema. */
@Entity({ schema: 'email', name: 'messages' })
@Check('messages_status_check', `status IN ('scheduled', 'sending', 'sent', 'failed', 'skipped', 'canceled')`)
export class EmailMessage {
  /** UUIDv7; its timestamp determines the partition. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'messages_pkey' })
  id: string;

  /** Null for system mail. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('uuid', { name: 'workspace_id', nullable: true })
  workspaceId: string | null;

  @Column('uuid', { name: 'domain_id', nullable: true })
  domainId: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'scheduled_at', nullable: true })
  scheduledAt: Date | null;

  /** End of the lease of the process that works on the send. */
  @Column('timestamptz', { name: 'lease_until', nullable: true })
  leaseUntil: Date | null;

  @Column('boolean', { name: 'track_opens' })
  trackOpens: boolean;

  @Column('boolean', { name: 'track_clicks' })
  trackClicks: boolean;

  @Column('text')
  status: MessageStatus;

  @Column('text', { name: 'from_address' })
  fromAddress: string;

  @Column('text', { name: 'from_name', nullable: true })
  fromName: string | null;

  @Column('text')
  subject: string;

  @Column('text', { nullable: true })
  html: string | null;

  @Column('text', { nullable: true })
  text: string | null;

  @Column('jsonb', { nullable: true })
  attachments: MailAttachment[] | null;

  /** X-Request-Id of the send request. */
  @Column('text', { name: 'correlation_id', nullable: true })
  correlationId: string | null;
}
