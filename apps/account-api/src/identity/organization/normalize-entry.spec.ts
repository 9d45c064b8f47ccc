import { compileAllowlist } from '@heliograph/auth';
import { normalizeEntry } from './normalize-entry';

describe('an entry of the allow-list', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.0/24 ', '203.0.113.0/24'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['10.0.0.0/08', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['::/0', '::/0'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::FFFF:c633:6407', '198.51.100.7'],
    ['::ffff:198.51.100.0/120', '198.51.100.0/24'],
  ])('%j is normalized to %j', (entry, kept) => {
    expect(normalizeEntry(entry)).toBe(kept);
    expect(normalizeEntry(kept)).toBe(kept);
    expect(() => compileAllowlist([kept])).not.toThrow();
  });

  it.each([
    '',
    ' ',
    'localhost',
    '10.0.0',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/1.5',
    '10.0.0.0/8/8',
    '10.0.0.1:80',
    '[::1]',
    '2001:db8::/129',
    'fe80::1%eth0',
    'fe80::%1/64',
    '::ffff:198.51.100.0/64',
    '10.0.0.1\0',
    '１０.0.0.1',
  ])('is invalid if it is %j', (entry) => {
    expect(normalizeEntry(entry)).toBeNull();
  });
});
