/** An event of the payment processor: the part that the invariants depend on. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** Unix seconds. */
  created: number;
  data: { object: PaymentObject };
}

export interface PaymentObject {
  id: string;
  customer: string;
  /** Subscriptions only. */
  status?: string;
  items?: { data: { price: { id: string; lookup_key: string } }[] };
  /** Invoices only. */
  number?: string;
  subscription?: string | null;
  currency?: string;
  amount_due?: number;
  total?: number;
  customer_email?: string;
  lines?: { data: InvoiceLine[] };
}

export interface InvoiceLine {
  id: string;
  description: string;
  quantity: number;
  amount: number;
  metadata: { credit_type?: string; credits?: string };
}

/** Plans by the lookup key of their price. */
export const PLANS: Record<string, string> = { basic_monthly: 'basic', pro_monthly: 'pro', scale_yearly: 'scale' };
