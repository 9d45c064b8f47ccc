import PDFDocument from 'pdfkit';
import { mainFont, needsRuns, parsedFont, runsFromRight, type Run } from './receipt-font';
import { linesOf, type Line } from './receipt-font-lines';

export type Page = PDFKit.PDFDocument;

/** Layout of an A4 page, in points. */
export const MARGIN = 56;
export const PAGE_WIDTH = 595.28;
export const PAGE_HEIGHT = 841.89;
export const CONTENT_WIDTH = PAGE_WIDTH - 2 * MARGIN;
/** Bottom of the content area; the footer is below it. */
export const CONTENT_BOTTOM = PAGE_HEIGHT - 84;

/** Default text size, in points. */
const SIZE = 9;
const LINE_GAP = 2;
/** Ascent of the default font, as a fraction of the text size. */
const ASCENT = 0.928;

export const COLORS = { ink: '#111827', muted: '#6b7280', separator: '#e5e7eb', accent: '#4f46e5' } as const;

export interface TextStyle {
  size?: number;
  bold?: boolean;
  color?: string;
  width?: number;
  align?: 'left' | 'right';
}

export function newDocument(title: string, author: string, createdAt: Date): Page {
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    // Page numbers include the total, so pages are buffered until the document is complete.
    bufferPages: true,
    // Each text sets its font.
    font: '',
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: author, Creator: author, CreationDate: createdAt, ModDate: createdAt },
  });
  // Page breaks of pdfkit are disabled, because they could occur within a table row. Callers reserve space before they write.
  document.page.margins.bottom = 0;
  document.on('pageAdded', () => (document.page.margins.bottom = 0));
  return document;
}

/** Writes text at a position and returns the position of its end. */
export function write(document: Page, text: string, x: number, y: number, style: TextStyle = {}): number {
  const { color = COLORS.ink, width = CONTENT_WIDTH, align = 'left' } = style;
  setFont(document, style).fillColor(color);
  if (needsRuns(text)) writeRuns(document, text, x, y, style);
  else document.text(text, x, y, { width, align, ...spacingOf(text) });
  return y + heightOf(document, text, style);
}

export function heightOf(document: Page, text: string, style: TextStyle): number {
  if (needsRuns(text)) return runLinesOf(document, text, style).length * lineHeightOf(document, style);
  return setFont(document, style).heightOfString(text, { width: style.width ?? CONTENT_WIDTH, ...spacingOf(text) });
}

/** The fonts share a baseline but have different ascents. */
function writeRuns(document: Page, text: string, x: number, y: number, style: TextStyle): void {
  const { size = SIZE, width = CONTENT_WIDTH, align = 'left' } = style;
  const lineHeight = lineHeightOf(document, style);
  for (const [index, line] of runLinesOf(document, text, style).entries()) {
    const start = align === 'right' ? x + width - line.width : x;
    const baseline = y + ASCENT * size + index * lineHeight;
    for (const { font, text: part, x: within } of line.runs) {
      useFont(document, font).text(part, start + within, baseline, { lineBreak: false, baseline: 'alphabetic' });
    }
  }
}

function runLinesOf(document: Page, text: string, { size = SIZE, bold = false, width }: TextStyle): Line[] {
  const measure = (run: Run) => useFont(document, run.font).fontSize(size).widthOfString(run.text);
  return linesOf(text, bold, width ?? CONTENT_WIDTH, measure);
}

function lineHeightOf(document: Page, style: TextStyle): number {
  return setFont(document, style).currentLineHeight(true) + LINE_GAP;
}

export function drawSeparator(document: Page, y: number, from = MARGIN, to = PAGE_WIDTH - MARGIN): void {
  document.moveTo(from, y).lineTo(to, y).lineWidth(0.75).strokeColor(COLORS.separator).stroke();
}

/** Ends the document and returns its bytes. */
export async function finished(document: Page): Promise<Buffer> {
  const chunks: Buffer[] = [];
  document.end();
  for await (const chunk of document as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Any non-zero word spacing makes pdfkit set each word separately. */
function spacingOf(text: string): { lineGap: number; wordSpacing?: number } {
  return { lineGap: LINE_GAP, ...(runsFromRight(text) ? { wordSpacing: 0.001 } : {}) };
}

function setFont(document: Page, { size = SIZE, bold = false }: TextStyle): Page {
  return useFont(document, mainFont(bold)).fontSize(size);
}

/** Sets the font in `file`. pdfkit accepts parsed fonts, but its type definitions do not. */
function useFont(document: Page, file: string): Page {
  return document.font(parsedFont(file) as unknown as PDFKit.Mixins.PDFFontSource, file);
}
