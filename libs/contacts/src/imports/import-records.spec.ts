import fc from 'fast-check';
import type { ImportOptions } from './import-options';
import { importRecords, UnreadableFile } from './import-records';
import type { ImportRecord } from './import-row';

type Content = string | Buffer;

async function* inChunks(content: Content, bytes: number): AsyncGenerator<Buffer> {
  const whole = Buffer.from(content as string);
  for (let at = 0; at < whole.length; at += bytes) {
    await Promise.resolve();
    yield whole.subarray(at, at + bytes);
  }
}

const readWhole = async (content: Content, options: ImportOptions = {}) => {
  const records: ImportRecord[] = [];
  for await (const record of importRecords(inChunks(content, 1_000_000), 'csv', options)) records.push(record);
  return records;
};
const valuesOf = async (content: Content, options?: ImportOptions) =>
  (await readWhole(content, options)).map(({ values }) => values);

const ANN = { email: 'a@example.com', first_name: 'Ann' };
const BOB = { email: 'b@example.com', first_name: 'Bob' };

describe('the rows of a CSV file', () => {
  it.each([
    ['CRLF after the header and LF after rows', 'email,first_name\r\na@example.com,Ann\nb@example.com,Bob\r\n'],
    ['LF after the header and CRLF after rows', 'email,first_name\na@example.com,Ann\r\nb@example.com,Bob'],
    ['CR after the header and LF after rows', 'email,first_name\ra@example.com,Ann\nb@example.com,Bob\r'],
    ['only CR', 'email,first_name\ra@example.com,Ann\rb@example.com,Bob\r'],
    ['CR CR LF', 'email,first_name\r\r\na@example.com,Ann\r\r\nb@example.com,Bob\r\r\n'],
  ])('are split with %s', async (_what, text) => {
    expect(await valuesOf(text)).toEqual([ANN, BOB]);
  });

  it('keep the line breaks of quoted cells', async () => {
    const text = 'email,first_name,note\r\na@example.com,Ann,"one\ntwo\r\nthree\rfour"\nb@example.com,Bob,\r\n';
    expect(await valuesOf(text)).toEqual([{ ...ANN, 'attributes.note': 'one\ntwo\r\nthree\rfour' }, BOB]);
  });

  it('are the same wherever chunks begin and end', async () => {
    const cell = fc.string({ unit: fc.constantFrom(...'a"é,\r\n €'), maxLength: 6 });
    const lineBreak = fc.constantFrom('\r\n', '\n', '\r');
    const rows = fc.array(fc.tuple(cell, lineBreak), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (cells, bytes) => {
        const header = 'email,note\r\n';
        const lines = cells.map(([text, end]) => `a@example.com,"${text.replaceAll('"', '""')}"${end}`);
        const records: ImportRecord[] = [];
        const chunks = async function* () {
          yield Buffer.from(header);
          yield* inChunks(lines.join(''), bytes);
        };
        for await (const record of importRecords(chunks(), 'csv', {})) records.push(record);
        expect(records.map(({ values }) => values['attributes.note'])).toEqual(
          cells.map(([text]) => text.trim() || undefined),
        );
      }),
      { numRuns: 200 },
    );
  });

  it.each<[string, string, Record<string, unknown>[], ImportOptions?]>([
    ['a line with the delimiter', 'sep=;\r\nemail;first_name\r\na@example.com;Ann\r\n', [ANN]],
    ['a quoted line with the delimiter', '"sep=;"\nemail;first_name\na@example.com;Ann\n', [ANN]],
    ['another delimiter in such a line', 'sep=|\nemail|first_name\na@example.com|Ann\n', [ANN]],
    ['a tab in such a line', 'sep=\t\nemail\tfirst_name\na@example.com\tAnn\n', [ANN]],
    ['a line break in the header', '"First\r\nName";Email\r\nAnn;a@example.com\r\n', [ANN]],
    [
      'commas in a column name',
      'Email;Firma, Ort, Land\na@example.com;Acme, Bonn, DE\n',
      [{ email: 'a@example.com', 'attributes.Firma, Ort, Land': 'Acme, Bonn, DE' }],
    ],
    [
      'a quoted column name with the other delimiter',
      '"Firma, Ort, Land";Email\r\nAcme;a@example.com\r\n',
      [{ email: 'a@example.com', 'attributes.Firma, Ort, Land': 'Acme' }],
    ],
    [
      'semicolons in a column name',
      'Email,Tags; Notes; More\na@example.com,x;y;z\n',
      [{ email: 'a@example.com', 'attributes.Tags; Notes; More': 'x;y;z' }],
    ],
    [
      'columns that only the mapping names',
      'Adresse;Firma, Ort, Land\na@example.com;Acme\n',
      [{ email: 'a@example.com' }],
      { mapping: { Adresse: 'email' } },
    ],
    ['a single column', 'email\na@example.com\n', [{ email: 'a@example.com' }]],
  ])('are read from a file with %s', async (_what, text, values, ...[options]) => {
    expect(await valuesOf(text, options)).toEqual(values);
  });

  it('are read as Excel ends files, without the empty ones, and with the numbers that a spreadsheet shows', async () => {
    const text =
      ';;\r\nEmail;First Name;Note\r\n\r\na@example.com;Ann;\r\n;;\r\n ; ;\r\nb@example.com;Bob;\r\n;;\r\n;;\r\n';
    expect(await readWhole(text)).toEqual([
      { row: 4, values: ANN },
      { row: 7, values: BOB },
    ]);
  });

  it.each([
    ['Windows-1252', Buffer.from('Email;Stra\xdfe;Preis\r\na@example.com;K\xf6ln;5 \x80\r\n', 'latin1')],
    [
      'Windows-1252 after much ASCII',
      Buffer.from(`Email;Stra\xdfe;Preis\r\n${';;\r\n'.repeat(99)}a@example.com;K\xf6ln;5 \x80`, 'latin1'),
    ],
    ['UTF-8', Buffer.from('Email;Straße;Preis\r\na@example.com;Köln;5 €\r\n')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffEmail;Straße;Preis\r\na@example.com;Köln;5 €\r\n')],
  ])('are read in %s', async (_what, bytes) => {
    const row = { email: 'a@example.com', 'attributes.Straße': 'Köln', 'attributes.Preis': '5 €' };
    expect(await valuesOf(bytes)).toEqual([row]);
  });

  it('are read in Windows-1252 if the only accent is the last byte', async () => {
    expect(await valuesOf(Buffer.from('email,first_name\na@example.com,Andr\xe9', 'latin1'))).toEqual([
      { email: 'a@example.com', first_name: 'André' },
    ]);
  });

  it('keep an invalid byte in a file in UTF-8 invalid', async () => {
    const bytes = Buffer.concat([
      Buffer.from('email,first_name\na@example.com,Zoë\nb@example.com,José\nc@example.com,'),
      Buffer.from([0xff, 0x0a]),
    ]);
    expect((await valuesOf(bytes)).map((values) => values['first_name'])).toEqual(['Zoë', 'José', '\ufffd']);
  });

  it.each([
    ['Ann "Annie" Smith', 'a quote is inside an unquoted value'],
    ['"Ann"ie', 'a closing quote is followed by text'],
    ['"Ann', 'a quote is not closed at the end of the file'],
  ])('are read up to the row that contains %j', async (cell, problem) => {
    for (const bytes of [1_000_000, 40]) {
      const records: ImportRecord[] = [];
      const text = `email,first_name\na@example.com,Ann\nb@example.com,${cell}\nc@example.com,Cy\n`;
      const reading = (async () => {
        for await (const record of importRecords(inChunks(text, bytes), 'csv', {})) records.push(record);
      })();
      await expect(reading).rejects.toEqual(new UnreadableFile(`The file cannot be read in row 3: ${problem}.`));
      expect(records).toEqual([{ row: 2, values: ANN }]);
    }
  });

  it('of a contacts report have its attributes, and not its other columns', async () => {
    const header =
      'id,email,phone,first_name,last_name,language,country,time_zone,attributes,groups,consent,source,created_at,updated_at';
    const groups = '"[{""id"":""1"",""name"":""VIP""}]"';
    const consent = '"{""sms"":""opted_in""}"';
    const row = (attributes: string) =>
      `1,a@example.com,+4915112345678,'=Ann,,,,,${attributes},${groups},${consent},api,2026-01-01,2026-01-01`;
    const text = `${header}\r\n${row('"{""a"":1,""b"":true,""c"":""x;\'-y""}"')}\r\n${row('nonsense')}\r\n`;
    const fields = { email: 'a@example.com', phone: '+4915112345678', first_name: '=Ann' };
    expect(await readWhole(text)).toEqual([
      { row: 2, values: { ...fields, 'attributes.a': 1, 'attributes.b': true, 'attributes.c': 'x;-y' } },
      {
        row: 3,
        values: fields,
        error: { row: 3, field: 'attributes', message: 'attributes must be a JSON object.' },
      },
    ]);
    expect(await valuesOf('id,email,groups\n7,a@example.com,VIP\n')).toEqual([
      { email: 'a@example.com', 'attributes.id': '7', 'attributes.groups': 'VIP' },
    ]);
  });
});
