import { formatCount, formatMoney, formatPeriod } from '@heliograph/system-mail';
import type { Receipt, ReceiptLine } from './receipt';
import { settable } from './receipt-font';
import {
  COLORS,
  CONTENT_BOTTOM,
  CONTENT_WIDTH,
  heightOf,
  MARGIN,
  PAGE_WIDTH,
  drawSeparator,
  write,
  type Page,
} from './receipt-page';

const MAX_DESCRIPTION = 400;
const ROW_GAP = 9;
/** The amount columns are right-aligned; the description takes the remaining width. */
const AMOUNT = { x: PAGE_WIDTH - MARGIN - 100, width: 100 };
const UNIT = { x: AMOUNT.x - 98, width: 90 };
const QUANTITY = { x: UNIT.x - 72, width: 64 };
const DESCRIPTION = { x: MARGIN, width: QUANTITY.x - MARGIN - 12 };

const HEADING = { size: 8, color: COLORS.muted };
const SMALL = { size: 8, color: COLORS.muted, width: DESCRIPTION.width };

/** Writes the lines starting at `y`, on as many pages as necessary; returns the position of the end. */
export function writeLines(document: Page, { lines, currency }: Receipt, y: number): number {
  let at = writeHeading(document, y);
  for (const line of lines) {
    if (at + heightOfLine(document, line) > CONTENT_BOTTOM) {
      document.addPage();
      at = writeHeading(document, MARGIN);
    }
    at = writeLine(document, line, currency, at);
  }
  return at;
}

/** Writes the subtotal, tax, total and paid amount, all on one page. */
export function writeTotals(document: Page, receipt: Receipt, y: number): number {
  const { currency } = receipt;
  const rows: [string, number, boolean][] = [
    ['Subtotal', receipt.subtotal, false],
    ...(receipt.tax === null ? [] : [['Tax', receipt.tax, false] as [string, number, boolean]]),
    ['Total', receipt.total, false],
    ['Amount paid', receipt.amountPaid, true],
  ];
  const rowHeight = 22;
  let at = y + 4;
  if (at + rows.length * rowHeight > CONTENT_BOTTOM) {
    document.addPage();
    at = MARGIN;
  }
  const left = PAGE_WIDTH / 2;
  for (const [index, [label, amount, bold]] of rows.entries()) {
    if (index > 0) drawSeparator(document, at, left);
    write(document, label, left, at + 6, { bold });
    const width = CONTENT_WIDTH / 2 - 80;
    write(document, formatMoney(amount, currency), PAGE_WIDTH - MARGIN - width, at + 6, {
      bold,
      width,
      align: 'right',
    });
    at += rowHeight;
  }
  return at;
}

function writeHeading(document: Page, y: number): number {
  write(document, 'Description', DESCRIPTION.x, y, { ...HEADING, width: DESCRIPTION.width });
  write(document, 'Qty', QUANTITY.x, y, { ...HEADING, width: QUANTITY.width, align: 'right' });
  write(document, 'Unit price', UNIT.x, y, { ...HEADING, width: UNIT.width, align: 'right' });
  write(document, 'Amount', AMOUNT.x, y, { ...HEADING, width: AMOUNT.width, align: 'right' });
  drawSeparator(document, y + 15);
  return y + 15 + ROW_GAP;
}

function writeLine(document: Page, line: ReceiptLine, currency: string, y: number): number {
  const { description, period } = wordsOf(line);
  const cells: [string, { x: number; width: number }][] = [
    [line.quantity === null ? '' : formatCount(line.quantity), QUANTITY],
    [line.unitAmount === null ? '' : formatMoney(line.unitAmount, currency), UNIT],
    [formatMoney(line.amount, currency), AMOUNT],
  ];
  for (const [text, { x, width }] of cells) write(document, text, x, y, { width, align: 'right' });
  let end = write(document, description, DESCRIPTION.x, y, { width: DESCRIPTION.width });
  if (period !== null) end = write(document, period, DESCRIPTION.x, end + 1, SMALL);
  drawSeparator(document, end + ROW_GAP - 2);
  return end + 2 * ROW_GAP - 2;
}

function heightOfLine(document: Page, line: ReceiptLine): number {
  const { description, period } = wordsOf(line);
  const height = heightOf(document, description, { width: DESCRIPTION.width });
  return height + (period === null ? 0 : heightOf(document, period, SMALL) + 1) + ROW_GAP;
}

function wordsOf({ description, periodStart, periodEnd }: ReceiptLine): { description: string; period: string | null } {
  return { description: settable(description, MAX_DESCRIPTION) || '–', period: formatPeriod(periodStart, periodEnd) };
}
