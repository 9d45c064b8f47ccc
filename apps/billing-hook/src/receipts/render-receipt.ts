import { formatDay, formatMoney } from '@heliograph/system-mail';
import { plainText } from '@heliograph/service-kit';
import type { Receipt } from './receipt';
import { hasLettersOf, settable } from './receipt-font';
import {
  COLORS,
  CONTENT_WIDTH,
  finished,
  MARGIN,
  newDocument,
  PAGE_HEIGHT,
  PAGE_WIDTH,
  drawSeparator,
  write,
  type Page,
} from './receipt-page';
import { writeLines, writeTotals } from './receipt-table';

const MAX_ADDRESS_LINES = 8;
const COLUMN_GAP = 24;
const COLUMN_WIDTH = (CONTENT_WIDTH - COLUMN_GAP) / 2;
const RIGHT_COLUMN = MARGIN + COLUMN_WIDTH + COLUMN_GAP;

/** Renders the receipt as a PDF. The output is deterministic. */
export async function renderReceipt(receipt: Receipt): Promise<Buffer> {
  const issuer = plainText(receipt.issuer.name);
  const document = newDocument(`Receipt ${plainText(receipt.receiptNumber)}`, issuer, receipt.paidAt);
  let y = writeTop(document, receipt);
  y = writeParties(document, receipt, y + 24);
  y = writePaid(document, receipt, y + 28);
  y = writeLines(document, receipt, y + 26);
  writeTotals(document, receipt, y);
  writeFooters(document, receipt);
  return finished(document);
}

function writeTop(document: Page, { issuer, receiptNumber, invoiceNumber, paidAt, workspaceName }: Receipt): number {
  document.rect(0, 0, PAGE_WIDTH, 6).fill(COLORS.accent);
  write(document, 'Receipt', MARGIN, MARGIN, { size: 22, bold: true, width: COLUMN_WIDTH });
  const name = settable(issuer.name, 80);
  write(document, name, RIGHT_COLUMN, MARGIN + 7, {
    size: 13,
    bold: true,
    color: COLORS.muted,
    width: COLUMN_WIDTH,
    align: 'right',
  });
  const events: [string, string][] = [
    ...(invoiceNumber === null ? [] : [['Invoice number', invoiceNumber] as [string, string]]),
    ['Receipt number', receiptNumber],
    ['Date paid', formatDay(paidAt)],
    ['Workspace', workspaceName],
  ];
  let y = MARGIN + 44;
  for (const [label, value] of events) {
    write(document, label, MARGIN, y, { bold: true, width: 104 });
    y = write(document, settable(value), MARGIN + 108, y, { width: CONTENT_WIDTH - 108 }) + 2;
  }
  return y;
}

/** The issuer and the payer. */
function writeParties(document: Page, { issuer, customer }: Receipt, y: number): number {
  const from = [...issuer.address, ...(issuer.supportEmail === null ? [] : [issuer.supportEmail])];
  const left = writeParty(document, [issuer.name, ...from], MARGIN, y);
  const known = [customer.name, ...customer.address, customer.email].filter((line) => line !== null);
  // A name with missing glyphs is omitted; the email address identifies the payer.
  const shown = known.filter(hasLettersOf);
  const end = write(document, 'Bill to', RIGHT_COLUMN, y, { bold: true, width: COLUMN_WIDTH }) + 2;
  const right = writeLinesOfParty(document, shown.length > 0 ? shown : known, RIGHT_COLUMN, end);
  return Math.max(left, right);
}

function writeParty(document: Page, [name = '', ...lines]: string[], x: number, y: number): number {
  const end = write(document, settable(name), x, y, { bold: true, width: COLUMN_WIDTH }) + 2;
  return writeLinesOfParty(document, lines, x, end);
}

function writeLinesOfParty(document: Page, lines: string[], x: number, y: number): number {
  const texts = lines.map((line) => settable(line)).filter((line) => line !== '');
  return texts
    .slice(0, MAX_ADDRESS_LINES)
    .reduce((at, line) => write(document, line, x, at, { color: COLORS.muted, width: COLUMN_WIDTH }) + 2, y);
}

function writePaid(document: Page, { amountPaid, currency, paidAt }: Receipt, y: number): number {
  return write(document, `${formatMoney(amountPaid, currency)} paid on ${formatDay(paidAt)}`, MARGIN, y, {
    size: 18,
    bold: true,
  });
}

function writeFooters(document: Page, { receiptNumber, amountPaid, currency, paidAt, issuer }: Receipt): void {
  const { count } = document.bufferedPageRange();
  const style = { size: 7.5, color: COLORS.muted };
  const paid = `${settable(receiptNumber, 40)} · ${formatMoney(amountPaid, currency)} paid on ${formatDay(paidAt)}`;
  const help = issuer.supportEmail === null ? '' : `Questions? Write to ${settable(issuer.supportEmail, 80)}.`;
  const y = PAGE_HEIGHT - 60;
  for (let page = 0; page < count; page++) {
    document.switchToPage(page);
    drawSeparator(document, y - 8);
    write(document, paid, MARGIN, y, { ...style, width: CONTENT_WIDTH - 80 });
    write(document, `Page ${page + 1} of ${count}`, PAGE_WIDTH - MARGIN - 80, y, {
      ...style,
      width: 80,
      align: 'right',
    });
    if (help) write(document, help, MARGIN, y + 12, style);
  }
}
