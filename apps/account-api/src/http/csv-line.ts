const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** A CSV line (RFC 4180), including the line break. No cell is interpreted as a formula by spreadsheets. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((text) => quoted(harmless(text))).join(',')}\r\n`;
}

/** Spreadsheets interpret cells with these prefixes as formulas; a leading apostrophe makes them text. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
