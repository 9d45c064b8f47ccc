/** Amounts are integers in minor units of the currency, as defined by the payment processor. */
export interface ReceiptLine {
  description: string;
  quantity: number | null;
  unitAmount: number | null;
  amount: number;
  periodStart: Date | null;
  periodEnd: Date | null;
}

/** A received payment and its invoice lines. */
export interface Receipt {
  issuer: { name: string; address: string[]; supportEmail: string | null };
  receiptNumber: string;
  invoiceNumber: string | null;
  paidAt: Date;
  /** ISO 4217, case-insensitive. */
  currency: string;
  amountPaid: number;
  subtotal: number;
  /** Null if no tax was charged. */
  tax: number | null;
  total: number;
  customer: { name: string | null; email: string | null; address: string[] };
  workspaceName: string;
  lines: ReceiptLine[];
}
