import { jsonInTurns } from './json-in-turns';

it.each([
  ['no rows', []],
  ['one row', [{ a: 1 }]],
  [
    'quotes, emoji, lone surrogates and NUL',
    [
      { a: '"\\', b: '😀' },
      { c: '\ud800', d: '\0', e: undefined },
    ],
  ],
])('encodes %s like JSON.stringify', async (_name, rows) => {
  expect((await jsonInTurns(rows)).toString('utf8')).toBe(JSON.stringify(rows));
});

it('lets other work run while it encodes many rows', async () => {
  const rows = Array.from({ length: 2_000 }, (_, ord) => ({ ord, text: 'x'.repeat(10_000) }));
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const encoded = await jsonInTurns(rows);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
  expect(JSON.parse(encoded.toString('utf8'))).toEqual(rows);
});
