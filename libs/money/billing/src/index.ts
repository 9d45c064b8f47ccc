export { BillingRecords, type BilledWorkspace, type InvoiceRecord } from './billing-records';
export { Dunning } from './entities/dunning.entity';
export { Invoice, type InvoiceLine } from './entities/invoice.entity';
export { Payer } from './entities/payer.entity';
export { PaymentFailure } from './entities/payment-failure.entity';
export { ProcessorEvent } from './entities/processor-event.entity';
export {
  CreditPackage,
  Dispute,
  FrozenCredits,
  Purchase,
  PURCHASE_STATUSES,
  Refund,
  type DisputeStatus,
  type PurchaseStatus,
} from './entities/purchase.entity';
export { StoredReceipt } from './entities/receipt.entity';
export { Subscription } from './entities/subscription.entity';
export { ZeroPayment } from './entities/zero-payment.entity';
export { billingEntities, billingMigrations } from './migration-set';
