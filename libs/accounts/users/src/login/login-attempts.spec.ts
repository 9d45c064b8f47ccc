import { attemptKey } from './login-attempts';

const EMAIL = 'ann@example.com';

describe('the counter of failed logins', () => {
  const from = (ipAddress: string | null, email = EMAIL) => attemptKey(email, ipAddress, null);

  it('is the same for one IPv4 address and one email address in any case', () => {
    expect(from('198.51.100.1', ' Ann@Example.COM ')).toBe(from('198.51.100.1'));
    expect(from('198.51.100.1', 'ann@EXÄMPLE.com')).toBe(from('198.51.100.1', 'ann@xn--exmple-cua.com'));
    expect(from('198.51.100.2')).not.toBe(from('198.51.100.1'));
    expect(from('198.51.100.1', 'bob@example.com')).not.toBe(from('198.51.100.1'));
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:0DB8:0:0:1::'],
    ['2001:db8:0:2::1', '2001:db8:0:0002:1:2:3:4'],
    ['::1', '0:0:0:0:0:0:0:2'],
  ])('is the same for one IPv6 subscriber: %s and %s', (one, other) => {
    expect(from(one)).toBe(from(other));
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db9::1'],
    ['1:2:3::', '1:2::3'],
  ])('differs between two IPv6 subscribers: %s and %s', (one, other) => {
    expect(from(one)).not.toBe(from(other));
  });

  it('is the same for an IPv4-mapped IPv6 address, and differs between IPv4 addresses', () => {
    expect(from('::ffff:198.51.100.1')).toBe(from('198.51.100.1'));
    expect(from('::ffff:198.51.100.2')).not.toBe(from('::ffff:198.51.100.1'));
  });

  it('is the same for a known browser on any network, and separate from unknown browsers', () => {
    const mine = Buffer.alloc(32, 1);
    const other = Buffer.alloc(32, 2);
    const by = (device: Buffer | null, ipAddress: string) => attemptKey(EMAIL, ipAddress, device);
    expect(by(mine, '198.51.100.1')).toBe(by(mine, '203.0.113.1'));
    expect(by(mine, '198.51.100.1')).not.toBe(by(other, '198.51.100.1'));
    expect(by(mine, '198.51.100.1')).not.toBe(by(null, '198.51.100.1'));
  });

  it('does not contain the email address', () => {
    expect(from('198.51.100.1')).not.toContain('ann');
    expect(from(null)).toMatch(/^unknown /);
  });
});
