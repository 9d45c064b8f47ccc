import type { MigrationSet } from '@heliograph/database';
import { Dunning } from './entities/dunning.entity';
import { Invoice } from './entities/invoice.entity';
import { Payer } from './entities/payer.entity';
import { PaymentFailure } from './entities/payment-failure.entity';
import { ProcessorEvent } from './entities/processor-event.entity';
import { CreditPackage, Dispute, FrozenCredits, Purchase, Refund } from './entities/purchase.entity';
import { StoredReceipt } from './entities/receipt.entity';
import { Subscription } from './entities/subscription.entity';
import { ZeroPayment } from './entities/zero-payment.entity';
import { Billing1700000000000 } from './migrations/1700000000000-billing';
import { EventStorage1700000000001 } from './migrations/1700000000001-event-storage';
import { SubscriptionGrants1700000000104 } from './migrations/1700000000104-subscription-grants';
import { Disputes1700000000204 } from './migrations/1700000000204-disputes';
import { RefundCurrencies1700000000302 } from './migrations/1700000000302-refund-currencies';

export const billingMigrations: MigrationSet = {
  schema: 'billing',
  migrations: [
    Billing1700000000000,
    EventStorage1700000000001,
    SubscriptionGrants1700000000104,
    Disputes1700000000204,
    RefundCurrencies1700000000302,
  ],
};
export const billingEntities = [
  ProcessorEvent,
  Payer,
  Subscription,
  PaymentFailure,
  Invoice,
  Dunning,
  StoredReceipt,
  CreditPackage,
  Purchase,
  Refund,
  ZeroPayment,
  Dispute,
  FrozenCredits,
];
