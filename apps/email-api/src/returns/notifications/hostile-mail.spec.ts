import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import type { DeliveryReport } from './delivery-status';
import { abuseReport, mailOf, postfixNotification } from './notification.fixture';
import { readNotification } from './read-notification';

const FAILED = { action: 'failed', status: '5.1.1', diagnostic: null };

const dsn = (...status: string[]) =>
  mailOf(
    'Content-Type: multipart/report; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    ...status,
    '--b--',
  );

function reportsOf(raw: Buffer): DeliveryReport[] | null {
  const notification = readNotification(raw);
  return notification?.kind === 'delivery' ? notification.reports : null;
}

describe('a hostile notification email', () => {
  const SIZE = 1024 * 1024;
  const TOP = 'Content-Type: multipart/report; boundary=b\r\n\r\n';

  it.each<[string, (fill: (piece: string) => string) => string]>([
    ['a very long header line', (fill) => `Subject: ${fill('x')}`],
    ['a very long folded header', (fill) => `Subject: x\r\n${fill(' x\r\n')}`],
    ['very many header fields', (fill) => fill('A: b\r\n')],
    ['semicolons in the Content-Type', (fill) => `Content-Type: multipart/report${fill('; ')}`],
    ['comments in the Content-Type', (fill) => `Content-Type: multipart/report;${fill('(')}`],
    ['very many parts', (fill) => TOP + fill('--b\r\n\r\n')],
    ['invalid boundaries', (fill) => TOP + fill('--b-\r\n')],
    ['boundaries in one line', (fill) => TOP + fill('--b')],
    ['spaces after a boundary', (fill) => `${TOP}--b${fill(' ')}x`],
    ['nested multiparts', (fill) => fill('Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n')],
    [
      'boundaries of many lengths',
      (fill) => `${TOP}${fill('--b\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n')}`,
    ],
    [
      'very many recipient groups',
      (fill) => `${TOP}--b\r\nContent-Type: message/delivery-status\r\n\r\n${fill('Action: x\r\n\r\n')}`,
    ],
    ['empty lines', (fill) => `${TOP}--b\r\nContent-Type: message/delivery-status\r\n\r\n${fill(' \r\n')}`],
    ['spaces', (fill) => `${TOP}--b\r\nContent-Type: message/delivery-status\r\n\r\n${fill(' ')}`],
    [
      'encoded text',
      (fill) =>
        `${TOP}--b\r\nContent-Type: message/delivery-status\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${fill('=3D= ')}`,
    ],
    ['a qmail greeting and empty lines', (fill) => `\r\nHi. This is the \r\n${fill('\r\n ')}`],
  ])('with %s is parsed in linear time', (_what, mail) => {
    const filled = (size: number) =>
      Buffer.from(
        mail((piece) => piece.repeat(Math.ceil(size / piece.length))),
        'latin1',
      );
    expectLinear(SIZE, filled, readNotification);
  });

  it('is parsed down to a nesting depth of four and ignored beyond it', () => {
    const nested = (depth: number): string =>
      depth === 0
        ? dsn('Action: failed', 'Status: 5.1.1').toString()
        : `Content-Type: multipart/mixed; boundary=n${depth}\r\n\r\n--n${depth}\r\n${nested(depth - 1)}\r\n--n${depth}--\r\n`;
    expect(reportsOf(Buffer.from(nested(4)))).toEqual([FAILED]);
    expect(readNotification(Buffer.from(nested(5)))).toBeNull();
    expect(readNotification(Buffer.from(nested(2_000)))).toBeNull();
  });

  it('with arbitrary bytes is parsed without an exception', () => {
    const samples = [postfixNotification('x@y'), abuseReport({ quoted: ['Message-ID: <a@b>'] }), dsn('Action: failed')];
    const mutation = fc.record({
      sample: fc.constantFrom(...samples),
      at: fc.nat(2_000),
      length: fc.nat(40),
      octets: fc.uint8Array({ maxLength: 40 }),
    });
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 5 }), (mutations) => {
        let raw = mutations[0]!.sample;
        for (const { at, length, octets } of mutations) {
          raw = Buffer.concat([raw.subarray(0, at), octets, raw.subarray(at + length)]);
        }
        const notification = readNotification(raw);
        if (notification?.kind === 'delivery') expect(notification.reports.length).toBeLessThanOrEqual(50);
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => void readNotification(Buffer.from(octets))));
  });

  it('has at most 50 parsed reports', () => {
    const groups = Array.from({ length: 500 }, () => ['Action: failed', 'Status: 5.1.1', '']).flat();
    expect(reportsOf(dsn(...groups))).toHaveLength(50);
  });
});
