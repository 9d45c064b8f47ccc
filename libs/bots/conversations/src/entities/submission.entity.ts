import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A submitted form: a lead. It is retained when its conversation is deleted. */
@Entity({ schema: 'bots', name: 'submissions' })
@Index('submissions_workspace', ['workspaceId', 'id'])
@Index('submissions_conversation', ['conversationId'])
@Index('submissions_contact', ['contactId'], { where: 'contact_id IS NOT NULL' })
export class Submission {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'submissions_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  @Column('uuid', { name: 'bot_id' })
  botId: string;

  @Column('uuid', { name: 'conversation_id' })
  conversationId: string;

  @Column('uuid', { name: 'contact_id', nullable: true })
  contactId: string | null;

  /** Public id of the form. */
  @Column('text', { name: 'form_id' })
  formId: string;

  /** Title of the form at the time of submission. */
  @Column('text', { name: 'form_title' })
  formTitle: string;

  @Column('text', { default: 'received' })
  status: string;

  /** Key, label and value of every answer, in the order of the form fields. */
  @Column('jsonb')
  answers: { key: string; label: string; value: string | number }[];

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
