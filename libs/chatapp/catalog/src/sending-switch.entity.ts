import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The operator's run-time switch. Without a row the configuration of the service decides. */
@Entity({ schema: 'chatapp', name: 'sending_switch' })
@Check('sending_switch_one_row_check', 'id = 1')
export class ChatappSendingSwitch {
  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'sending_switch_pkey' })
  id: number;

  @Column('boolean', { name: 'is_enabled' })
  isEnabled: boolean;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
