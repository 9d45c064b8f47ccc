import { attemptKey } from './login-attempts';

const EMAIL = 'ann@example.com';

describe('whose failed logins are counted together', () => {
  const from = (ipAddress: string | null, email = EMAIL) => attemptKey(email, ipAddress, null);

  it('are those of one IPv4 address with one email, however that is written', () => {
    expect(from('198.51.100.1', ' Ann@Example.COM ')).toBe(from('198.51.100.1'));
    expect(from('198.51.100.2')).not.toBe(from('198.51.100.1'));
    expect(from('198.51.100.1', 'bob@example.com')).not.toBe(from('198.51.100.1'));
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:0DB8:0:0:1::'],
    ['2001:db8:0:2::1', '2001:db8:0:0002:1:2:3:4'],
    ['::1', '0:0:0:0:0:0:0:2'],
  ])('are those of one IPv6 subscriber: %s and %s', (one, other) => {
    expect(from(one)).toBe(from(other));
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db9::1'],
    ['1:2:3::', '1:2::3'],
  ])('are not those of two IPv6 subscribers: %s and %s', (one, other) => {
    expect(from(one)).not.toBe(from(other));
  });

  it('are those of one IPv4 address when it comes mapped into IPv6, and not those of another', () => {
    expect(from('::ffff:198.51.100.1')).toBe(from('198.51.100.1'));
    expect(from('::ffff:198.51.100.2')).not.toBe(from('::ffff:198.51.100.1'));
  });

  it('are those of a known browser wherever it is, apart from the strangers at its address', () => {
    const [mine, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const by = (device: Buffer | null, ipAddress: string) => attemptKey(EMAIL, ipAddress, device);
    expect(by(mine, '198.51.100.1')).toBe(by(mine, '203.0.113.1'));
    expect(by(mine, '198.51.100.1')).not.toBe(by(other, '198.51.100.1'));
    expect(by(mine, '198.51.100.1')).not.toBe(by(null, '198.51.100.1'));
  });

  it('are kept under a name that does not show the email', () => {
    expect(from('198.51.100.1')).not.toContain('ann');
    expect(from(null)).toMatch(/^unknown /);
  });
});
