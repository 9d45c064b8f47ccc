/** Amounts are whole numbers of the currency's minor unit, as the payment processor counts them. */
export interface ReceiptLine {
  description: string;
  quantity: number | null;
  unitAmount: number | null;
  amount: number;
  periodStart: Date | null;
  periodEnd: Date | null;
}

/** A payment that was received, and what it was for. */
export interface Receipt {
  issuer: { name: string; address: string[]; supportEmail: string | null };
  receiptNumber: string;
  invoiceNumber: string | null;
  paidAt: Date;
  /** ISO 4217, in either case. */
  currency: string;
  amountPaid: number;
  subtotal: number;
  /** Null where none was charged. */
  tax: number | null;
  total: number;
  customer: { name: string | null; email: string | null; address: string[] };
  workspaceName: string;
  lines: ReceiptLine[];
}
