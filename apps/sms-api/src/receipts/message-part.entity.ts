import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What a carrier calls one part of a message. */
@Entity({ schema: 'sms', name: 'parts' })
@Index('parts_message_id', ['messageId'], { where: 'parts > 1' })
export class MessagePart {
  @PrimaryColumn('text', { name: 'upstream_id', primaryKeyConstraintName: 'parts_pkey' })
  upstreamId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'parts_pkey' })
  carrier: string;

  @PrimaryColumn('uuid', { name: 'message_id', primaryKeyConstraintName: 'parts_pkey' })
  messageId: string;

  /** How many parts the message has. */
  @Column('smallint')
  parts: number;

  /** The receipt of this part, where there are several. */
  @Column('text', { nullable: true })
  state: string | null;
}
