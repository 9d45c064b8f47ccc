import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A failed payment that is not settled yet. */
@Entity({ schema: 'billing', name: 'payment_failures' })
@Index('payment_failures_customer', ['customer'])
export class PaymentFailure {
  /** Id assigned by the processor. */
  @PrimaryColumn('text', { name: 'event_id', primaryKeyConstraintName: 'payment_failures_pkey' })
  eventId: string;

  @Column('text')
  customer: string;

  @Column('text', { name: 'invoice_id' })
  invoiceId: string;

  @Column('text', { name: 'subscription_id', nullable: true })
  subscriptionId: string | null;

  @Column('text', { name: 'moment' })
  timestamp: string;
}
