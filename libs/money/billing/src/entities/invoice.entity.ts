import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type InvoiceStatus = 'failed' | 'paid';

export interface InvoiceLine {
  id: string;
  description: string;
  quantity: number | null;
  /** Amounts are minor units of the currency. */
  unitAmount: number | null;
  amount: number;
  /** RFC 3339 */
  periodStart: string | null;
  periodEnd: string | null;
}

/** An invoice as of its newest event. A paid invoice stays paid. Amounts are minor units of its currency. */
@Entity({ schema: 'billing', name: 'invoices' })
@Index('invoices_workspace', ['workspaceId', 'createdAt', 'id'])
@Check('invoices_status_check', `status IN ('failed', 'paid')`)
export class Invoice {
  /** Id assigned by the processor. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'invoices_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'workspace_id' })
  workspaceId: string;

  @Column('text')
  customer: string;

  @Column('text', { nullable: true })
  number: string | null;

  @Column('text')
  status: InvoiceStatus;

  /** ISO 4217, lower case. */
  @Column('text')
  currency: string;

  @Column('bigint', { name: 'amount_due' })
  amountDue: number;

  @Column('bigint', { name: 'amount_paid' })
  amountPaid: number;

  @Column('bigint')
  subtotal: number;

  /** Null if the invoice has no tax amount. */
  @Column('bigint', { nullable: true })
  tax: number | null;

  @Column('bigint')
  total: number;

  @Column('text', { name: 'customer_name', nullable: true })
  customerName: string | null;

  @Column('text', { name: 'customer_email', nullable: true })
  customerEmail: string | null;

  @Column('text', { name: 'customer_address', array: true })
  customerAddress: string[];

  @Column('json')
  lines: InvoiceLine[];

  /** Payment page of the processor. */
  @Column('text', { name: 'hosted_url', nullable: true })
  hostedUrl: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'paid_at', nullable: true })
  paidAt: Date | null;

  /** Timestamp of the event that the details come from. */
  @Column('text')
  newest: string;
}
