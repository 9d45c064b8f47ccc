import type { Receipt, ReceiptLine } from './receipt';

export function aLine(changes: Partial<ReceiptLine> = {}): ReceiptLine {
  return {
    description: 'Pro plan',
    quantity: 1,
    unitAmount: 2437,
    amount: 2437,
    periodStart: new Date('2026-11-21T00:00:00Z'),
    periodEnd: new Date('2026-12-21T00:00:00Z'),
    ...changes,
  };
}

export function aReceipt(changes: Partial<Receipt> = {}): Receipt {
  return {
    issuer: {
      name: 'Heliograph',
      address: ['12 Signal Street', '10115 Berlin'],
      supportEmail: 'billing@heliograph.example',
    },
    receiptNumber: '2026-0001',
    invoiceNumber: 'ACME-0007',
    paidAt: new Date('2026-11-21T23:30:00Z'),
    currency: 'usd',
    amountPaid: 2900,
    subtotal: 2437,
    tax: 463,
    total: 2900,
    customer: { name: 'Ada Lovelace', email: 'ada@acme.example', address: ['1 Analytical Way', 'London'] },
    workspaceName: 'Acme Main',
    lines: [aLine()],
    ...changes,
  };
}

/** Text with special characters of email headers, HTML and PDF, which must have no effect. */
export const HOSTILE = '<img src=x onerror=alert(1)>"\'&) /Type \\(\r\nBcc: x@y.example\u202eevil\0\ud800';
