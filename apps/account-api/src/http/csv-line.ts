const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** A line of a CSV file (RFC 4180), line end included. No cell of it is a formula to a spreadsheet. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((text) => quoted(harmless(text))).join(',')}\r\n`;
}

/** What begins like this a spreadsheet takes for a formula, and runs it; with an apostrophe before it is text. */
function harmless(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
