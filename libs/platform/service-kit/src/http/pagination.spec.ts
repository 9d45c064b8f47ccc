import { isPageSize, pageOf, readCursor, writeCursor } from './pagination';

describe('a cursor', () => {
  it.each(['019aa0c2-5b60-7a10-8a10-3f5a1c2d4e6f', 'in_1', 's42', 'ü 7'])('contains the id %j', (id) => {
    expect(readCursor(writeCursor(id))).toBe(id);
  });

  it.each([
    ['empty', ''],
    ['not a string', 7],
    ['missing', undefined],
    ['padded', `${writeCursor('in_1')}=`],
    ['of another alphabet', '+/+/'],
    ['not UTF-8', Buffer.from([0xff, 0xfe]).toString('base64url')],
    ['with a NUL', writeCursor('a\0b')],
    ['too long', writeCursor('x'.repeat(400))],
  ])('is invalid if it is %s', (_what, cursor) => {
    expect(readCursor(cursor)).toBeNull();
  });
});

it.each([
  ['1', true],
  ['100', true],
  ['0', false],
  ['101', false],
  ['1.5', false],
  [' 5', false],
  ['', false],
  [5, false],
])('the page size %j is valid: %j', (limit, isValid) => {
  expect(isPageSize(limit)).toBe(isValid);
});

it('a page starts after the id in the cursor, with 20 items by default', () => {
  expect(pageOf({})).toEqual({ limit: 20, after: null });
  expect(pageOf({ limit: '7', cursor: writeCursor('in_1') })).toEqual({ limit: 7, after: 'in_1' });
});
