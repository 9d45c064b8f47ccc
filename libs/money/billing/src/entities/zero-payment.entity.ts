import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The newest payment of an invoice that was settled without money, while it is newer than the last other payment. */
@Entity({ schema: 'billing', name: 'zero_payments' })
export class ZeroPayment {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'zero_payments_pkey' })
  customer: string;

  @PrimaryColumn('text', { name: 'invoice_id', primaryKeyConstraintName: 'zero_payments_pkey' })
  invoiceId: string;

  @Column('text', { name: 'moment' })
  timestamp: string;
}
