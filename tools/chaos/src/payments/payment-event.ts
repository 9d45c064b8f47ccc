/** An event of the processor, as far as the verdict has to know it. */
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
  /** Of a subscription. */
  status?: string;
  items?: { data: { price: { id: string; lookup_key: string } }[] };
  /** Of an invoice. */
  number?: string;
  subscription?: string | null;
  lines?: { data: InvoiceLine[] };
}

export interface InvoiceLine {
  id: string;
  description: string;
  quantity: number;
  amount: number;
  metadata: { credit_type?: string; credits?: string };
}

/** Lookup keys of prices, and the plans that they stand for. */
export const PLANS: Record<string, string> = { basic_monthly: 'basic', pro_monthly: 'pro', scale_yearly: 'scale' };
