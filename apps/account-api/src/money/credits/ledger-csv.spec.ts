import type { LedgerEntryRow } from '@heliograph/credits';
import fc from 'fast-check';
import { LEDGER_CSV_HEADER, ledgerCsvLine } from './ledger-csv';

const row: LedgerEntryRow = {
  id: '01890000-0000-7000-8000-000000000001',
  workspaceId: '01890000-0000-7000-8000-000000000002',
  creditType: 'sms',
  kind: 'charge',
  amount: -4,
  balanceAfter: 6,
  reference: 'sms:1',
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
};
const lastCell = (reference: string): string => {
  const line = ledgerCsvLine({ ...row, reference });
  return line.slice(line.indexOf(',-4,6,') + ',-4,6,'.length, -'\r\n'.length);
};

/** Parses one cell according to RFC 4180. */
const read = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

describe('the ledger as CSV', () => {
  it('has a header and a line for each entry, each terminated by CRLF (RFC 4180)', () => {
    expect(LEDGER_CSV_HEADER).toBe('id,createdAt,workspaceId,creditType,kind,amount,balanceAfter,reference\r\n');
    expect([row, { ...row, amount: 4 }].map(ledgerCsvLine).join('')).toBe(
      `${row.id},2026-01-02T03:04:05.678Z,${row.workspaceId},sms,charge,-4,6,sms:1\r\n` +
        `${row.id},2026-01-02T03:04:05.678Z,${row.workspaceId},sms,charge,4,6,sms:1\r\n`,
    );
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', "'=1+1"],
    ['+cmd|x', "'+cmd|x"],
    ['-cmd|x', "'-cmd|x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', '"\'\r\'=1"'],
    ['x;=1+1', "x;'=1+1"],
    ['x\t@SUM(A1)', "x\t'@SUM(A1)"],
    ['x\n=1+1', '"x\n\'=1+1"'],
    ['x;"=1+1"', '"x;\'""=1+1"""'],
    [' =1+1', "' =1+1"],
    ['＝1+1', "'＝1+1"],
    ['＋1+1', "'＋1+1"],
    ['－1+1', "'－1+1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['x;＝1+1', "x;'＝1+1"],
    ['a;b-c;-5', 'a;b-c;-5'],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['-5', '-5'],
    ['+5.5', '+5.5'],
    ['-5+1', "'-5+1"],
  ])('encodes the text %j as the cell %j', (text, cell) => {
    expect(lastCell(text)).toBe(cell);
  });

  it('row 17: preserves the text apart from added apostrophes, and starts no formula after any separator', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠\t\r\n",;1a. \'') }), (text) => {
        const cell = read(lastCell(text));
        expect(cell.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
        expect(cell).not.toMatch(/^[\t\r\n]/);
        for (const part of cell.split(/[;\t\r\n]/)) {
          if (!/^[+-]?\d+(\.\d+)?$/.test(part)) expect(part).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
        }
      }),
    );
  });
});
