import type { Invoice } from '@heliograph/billing';
import type { Receipt } from './receipt';

/** Builds the receipt of a paid invoice. */
export function composeReceipt(invoice: Invoice, workspaceName: string, issuer: Receipt['issuer']): Receipt {
  return {
    issuer,
    receiptNumber: `R-${invoice.number ?? invoice.id}`,
    invoiceNumber: invoice.number,
    paidAt: invoice.paidAt ?? invoice.createdAt,
    currency: invoice.currency,
    amountPaid: invoice.amountPaid,
    subtotal: invoice.subtotal,
    tax: invoice.tax,
    total: invoice.total,
    customer: { name: invoice.customerName, email: invoice.customerEmail, address: invoice.customerAddress },
    workspaceName,
    lines: invoice.lines.map(({ description, quantity, unitAmount, amount, periodStart, periodEnd }) => ({
      description,
      quantity,
      unitAmount,
      amount,
      periodStart: periodStart === null ? null : new Date(periodStart),
      periodEnd: periodEnd === null ? null : new Date(periodEnd),
    })),
  };
}
