import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The carrier's id for one part of a message. */
@Entity({ schema: 'sms', name: 'parts' })
@Index('parts_message_id', ['messageId'], { where: 'parts > 1' })
export class MessagePart {
  @PrimaryColumn('text', { name: 'upstream_id', primaryKeyConstraintName: 'parts_pkey' })
  upstreamId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'parts_pkey' })
  carrier: string;

  @PrimaryColumn('uuid', { name: 'message_id', primaryKeyConstraintName: 'parts_pkey' })
  messageId: string;

  /** Number of parts of the message. */
  @Column('smallint')
  parts: number;

  /** Receipt state of this part; used only for messages of several parts. */
  @Column('text', { nullable: true })
  state: string | null;
}
