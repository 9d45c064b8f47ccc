/** The parts of a workbook (ECMA-376, Office Open XML) as XML. */

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
/** A text that spreadsheets read as an escaped character (ST_Xstring of ECMA-376). */
const ESCAPE_SEQUENCE = /_(?=x[0-9a-f]{4}_)/gi;
/** Spreadsheets remove white space around a text, unless an attribute preserves it. */
const SURROUNDED = /^\s|\s$/;

export const SHEET_BEGIN = `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetData>`;
export const SHEET_END = '</sheetData></worksheet>';

export const sheetPath = (sheet: number): string => `xl/worksheets/sheet${sheet}.xml`;

/** Returns a row of a sheet. `row` begins at 1. Cells with the value null are omitted. */
export function rowXml(row: number, cells: readonly (string | number | null)[]): string {
  let xml = `<row r="${row}">`;
  for (const [index, cell] of cells.entries()) {
    const reference = `${columnName(index)}${row}`;
    if (typeof cell === 'number') xml += `<c r="${reference}"><v>${cell}</v></c>`;
    else if (cell !== null) xml += `<c r="${reference}" t="inlineStr"><is>${textXml(cell)}</is></c>`;
  }
  return `${xml}</row>`;
}

/** Returns the parts that refer to the sheets, by their paths. */
export function packageParts(sheets: number): Readonly<Record<string, string>> {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const types = numbers.map(
    (sheet) => `<Override PartName="/${sheetPath(sheet)}" ContentType="${CONTENT_TYPE}.worksheet+xml"/>`,
  );
  const entries = numbers.map((sheet) => `<sheet name="Report ${sheet}" sheetId="${sheet}" r:id="rId${sheet}"/>`);
  return {
    '[Content_Types].xml': `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT_TYPE}.sheet.main+xml"/>${types.join('')}</Types>`,
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIP}"><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      numbers.map((sheet) => ['worksheet', `worksheets/sheet${sheet}.xml`] as const),
    ),
  };
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const entries = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONSHIP}/${type}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}

/** Returns the letters of a column; `index` begins at 0. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}

function textXml(text: string): string {
  const escaped = text
    .replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? character)
    .replace(ESCAPE_SEQUENCE, '_x005F_');
  return `<t${SURROUNDED.test(text) ? ' xml:space="preserve"' : ''}>${escaped}</t>`;
}
