import { expectLinear } from '@heliograph/testing';
import { decodeWords, readHeaders } from './mail-headers';

describe('readHeaders', () => {
  it('unfolds and decodes fields and collects repeated ones', () => {
    const raw = Buffer.from(
      'Received: one\r\nSubject: a\r\n =?utf-8?Q?=C3=A4_b?=\r\n\tc\r\nreceived: two\r\nReceived: three\r\n\r\nX-Body: no\r\n',
    );
    expect({ ...readHeaders(raw) }).toEqual({ received: ['one', 'two', 'three'], subject: 'a ä b\tc' });
  });

  it('supports property names of objects', () => {
    const headers = readHeaders(Buffer.from('__proto__: 1\r\nconstructor: 2\r\ntoString: 3\r\n\r\n'));
    expect(Object.entries(headers)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['tostring', '3'],
    ]);
  });
});

describe('decodeWords', () => {
  it.each([
    ['=?utf-8?B?w6Q=?= =?UTF-8?q?=C3=B6?= end', 'äö end'],
    ['=?utf-8?Q?a=C3?= =?utf-8?Q?=A4b?=', 'aäb'],
    ['=?iso-8859-1?Q?=E4?= =?utf-8?Q?=C3=A4?=', 'ää'],
    ['=?nonsense?Q?=E4?=', 'ä'],
    ['=?utf-8?X?abc?=', '=?utf-8?X?abc?='],
  ])('decodes %s', (encoded, decoded) => expect(decodeWords(encoded)).toBe(decoded));

  it.each(['=?a?q?', '=?a?q?b?= '])('takes linear time for many of %j', (piece) => {
    expectLinear(200_000, (pieces) => piece.repeat(pieces), decodeWords);
  });
});
