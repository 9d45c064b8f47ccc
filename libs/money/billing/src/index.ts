export {
  dunningOf,
  invoiceOf,
  listInvoices,
  receiptOf,
  subscriptionOf,
  type DunningRecord,
  type InvoiceRecord,
  type SubscriptionRecord,
} from './billing-records';
export { Dunning } from './entities/dunning.entity';
export { Invoice, type InvoiceLine } from './entities/invoice.entity';
export { Payer } from './entities/payer.entity';
export { PaymentFailure } from './entities/payment-failure.entity';
export { ProcessorEvent } from './entities/processor-event.entity';
export { CreditPackage, Purchase, PURCHASE_STATUSES, Refund, type PurchaseStatus } from './entities/purchase.entity';
export { StoredReceipt } from './entities/receipt.entity';
export { Subscription } from './entities/subscription.entity';
export { billingEntities, billingMigrations } from './migration-set';
