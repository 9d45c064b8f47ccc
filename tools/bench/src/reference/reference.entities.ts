import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity({ schema: 'reference', name: 'balances' })
export class ReferenceBalance {
  @PrimaryColumn('uuid', { name: 'workspace_id' })
  workspaceId: string;
  @Column('bigint')
  balance: number;
}

@Entity({ schema: 'reference', name: 'ledger' })
export class ReferenceLedgerEntry {
  @PrimaryGeneratedColumn('uuid')
  id: string;
  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;
  @Column('integer')
  amount: number;
  @Column('bigint', { name: 'balance_after' })
  balanceAfter: number;
  @Column('uuid', { name: 'message_id' })
  messageId: string;
}

@Entity({ schema: 'reference', name: 'messages' })
export class ReferenceMessage {
  @PrimaryGeneratedColumn('uuid')
  id: string;
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;
  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;
  @Column('text')
  recipient: string;
  @Column('text')
  body: string;
  @Column('text')
  status: string;
  @Column('integer')
  segments: number;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

@Entity({ schema: 'reference', name: 'outbox' })
export class ReferenceOutboxRow {
  @PrimaryGeneratedColumn('uuid')
  id: string;
  @Column('text')
  type: string;
  @Column('json')
  payload: object;
}
