import { MailEnds } from './mail-ends';
import { readNotification } from './notifications/read-notification';

const LINE = `${'x'.repeat(98)}\r\n`;
const STATUS = '--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n';
const ORIGINAL = `--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\n${LINE.repeat(250_000)}`;
const HEADER = 'Content-Type: multipart/report; boundary=b\r\n\r\n';

function endsOf(mail: string, chunkBytes: number): Buffer {
  const ends = new MailEnds();
  const bytes = Buffer.from(mail, 'latin1');
  for (let at = 0; at < bytes.length; at += chunkBytes) ends.add(bytes.subarray(at, at + chunkBytes));
  return ends.joined();
}

describe('the ends of a returned mail', () => {
  it.each([1, 7, 65_536, 10_000_000])('are the complete mail if it is small, in chunks of %d octets', (chunkBytes) => {
    for (const length of [0, 1, 65_535, 65_536, 65_537, 1_300_000]) {
      const mail = Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
      expect(endsOf(mail, chunkBytes).toString('latin1') === mail).toBe(true);
    }
  });

  it('are the first MiB and the last 256 KiB of a large mail', () => {
    const mail = `first${LINE.repeat(250_000)}last`;
    const ends = endsOf(mail, 60_000).toString('latin1');
    expect(ends.length).toBeLessThanOrEqual(1_400_000);
    expect(ends.startsWith(mail.slice(0, 1_048_576))).toBe(true);
    expect(ends.endsWith(mail.slice(-262_144))).toBe(true);
  });

  it.each([
    ['before', HEADER + STATUS + ORIGINAL + '--b--\r\n'],
    ['after', HEADER + ORIGINAL + STATUS + '--b--\r\n'],
  ])('contain a report %s a returned mail of 25 MB', (_where, mail) => {
    expect(readNotification(endsOf(mail, 65_536))).toMatchObject({ kind: 'delivery', reports: [{ status: '5.1.1' }] });
  });
});
