import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A payment that failed and that nothing has settled since. */
@Entity({ schema: 'billing', name: 'payment_failures' })
@Index('payment_failures_customer', ['customer'])
export class PaymentFailure {
  /** The processor's. */
  @PrimaryColumn('text', { name: 'event_id', primaryKeyConstraintName: 'payment_failures_pkey' })
  eventId: string;

  @Column('text')
  customer: string;

  @Column('text', { name: 'invoice_id' })
  invoiceId: string;

  @Column('text', { name: 'subscription_id', nullable: true })
  subscriptionId: string | null;

  @Column('text')
  moment: string;
}
