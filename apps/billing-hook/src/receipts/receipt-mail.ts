import { composeMail, formatDay, formatMoney, formatPeriod, type Mail } from '@heliograph/system-mail';
import type { Receipt, ReceiptLine } from './receipt';

const MAX_LINES = 20;

/** Composes the email with the attached receipt. */
export function receiptMail(receipt: Receipt): Mail {
  const { issuer, receiptNumber, invoiceNumber, paidAt, currency, workspaceName, lines } = receipt;
  const paid = formatMoney(receipt.amountPaid, currency);
  const more = lines.length - MAX_LINES;
  return composeMail(`Your receipt from ${issuer.name}: ${paid}`, [
    { kind: 'heading', text: `${paid} paid` },
    { kind: 'paragraph', text: `Thank you. We received your payment for ${workspaceName} on ${formatDay(paidAt)}.` },
    {
      kind: 'facts',
      facts: [
        ['Receipt number', receiptNumber],
        ...(invoiceNumber === null ? [] : [['Invoice number', invoiceNumber] as [string, string]]),
        ['Date paid', formatDay(paidAt)],
      ],
    },
    {
      kind: 'facts',
      facts: [
        ...lines.slice(0, MAX_LINES).map((line) => showLine(line, currency)),
        ...(more > 0 ? [[`And ${more} more`, 'see the attached receipt'] as [string, string]] : []),
        ...(receipt.tax === null ? [] : [['Tax', formatMoney(receipt.tax, currency)] as [string, string]]),
        ['Amount paid', paid],
      ],
    },
    { kind: 'paragraph', text: 'The receipt is attached as a PDF.' },
    { kind: 'note', text: closing(issuer.name, issuer.supportEmail) },
  ]);
}

function showLine({ description, amount, periodStart, periodEnd }: ReceiptLine, currency: string): [string, string] {
  const period = formatPeriod(periodStart, periodEnd);
  return [period === null ? description : `${description} (${period})`, formatMoney(amount, currency)];
}

/** Footer of emails about payments. */
export function closing(issuerName: string, supportEmail: string | null): string {
  return supportEmail === null ? issuerName : `${issuerName} · Questions? Write to ${supportEmail}.`;
}
