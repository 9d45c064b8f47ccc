import { Column, Entity, PrimaryColumn } from 'typeorm';

/** State of a number per account: its service window, and the organization that its conversation belongs to. */
@Entity({ schema: 'chatapp', name: 'numbers' })
export class ChatappNumber {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'numbers_pkey' })
  accountId: string;

  /** Digits after a plus, as the provider knows the number. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'numbers_pkey' })
  number: string;

  /** Opens the window for 24 hours. */
  @Column('timestamptz', { name: 'last_inbound_at', nullable: true })
  lastInboundAt: Date | null;

  @Column('timestamptz', { name: 'last_outbound_at', nullable: true })
  lastOutboundAt: Date | null;

  /** The organization that wrote to the number last. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Column('uuid', { name: 'workspace_id', nullable: true })
  workspaceId: string | null;
}

/** A number that the provider knows under a different number than the dialed one, as in Brazil or Mexico. */
@Entity({ schema: 'chatapp', name: 'number_aliases' })
export class ChatappNumberAlias {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'number_aliases_pkey' })
  accountId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'number_aliases_pkey' })
  number: string;

  @Column('text', { name: 'upstream_number' })
  upstreamNumber: string;
}
