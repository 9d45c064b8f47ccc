const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/**
 * A formula, or a text that an apostrophe protects already. Includes full-width operators, which spreadsheets accept if they are set
 * to an East Asian language.
 */
const FORMULA = /^[\s"']*[=+\-@＝＋－＠]/;
const LEADING_SEPARATOR = /^'*[\t\r\n]/;
/** The smallest parts of a text that a spreadsheet can read as a cell, if it splits cells at semicolons or tabs and ignores quotes. */
const SMALLEST_CELLS = /[^;\t\r\n]+/g;

/**
 * Adds an apostrophe before formulas, which makes the cell a text. The separator that a spreadsheet uses depends on its
 * locale, so each part between possible separators is treated like a cell.
 */
export function guardFormulas(text: string): string {
  const guarded = text.replace(SMALLEST_CELLS, (part) => (isFormula(part) ? `'${part}` : part));
  return LEADING_SEPARATOR.test(guarded) ? `'${guarded}` : guarded;
}

/** Removes the apostrophes that `guardFormulas` has added. */
export function withoutFormulaGuards(text: string): string {
  const unguarded = text.startsWith("'") && LEADING_SEPARATOR.test(text) ? text.slice(1) : text;
  return unguarded.replace(SMALLEST_CELLS, (part) =>
    part.startsWith("'") && isFormula(part.slice(1)) ? part.slice(1) : part,
  );
}

function isFormula(part: string): boolean {
  return FORMULA.test(part) && !PLAIN_NUMBER.test(part);
}
