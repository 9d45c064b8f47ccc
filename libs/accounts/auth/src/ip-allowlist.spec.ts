import fc from 'fast-check';
import { compileAllowlist, isAllowed, parseCidr } from './ip-allowlist';

const v4 = fc.ipV4();
const v6 = fc.ipV6();
const bits = (address: string): string =>
  address
    .split('.')
    .map((octet) => Number(octet).toString(2).padStart(8, '0'))
    .join('');

describe('an IP allow-list', () => {
  it('allows every address if it is empty', () => {
    fc.assert(fc.property(fc.oneof(v4, v6, fc.string()), (address) => isAllowed(compileAllowlist([]), address)));
    expect(isAllowed(compileAllowlist([]), undefined)).toBe(true);
  });

  it('allows only the listed addresses', () => {
    fc.assert(
      fc.property(v4, v4, (one, other) => {
        const list = compileAllowlist([one]);
        expect(isAllowed(list, one)).toBe(true);
        expect(isAllowed(list, other)).toBe(one === other);
      }),
    );
  });

  it('allows only the IPv4 addresses of a listed prefix', () => {
    fc.assert(
      fc.property(v4, v4, fc.integer({ min: 0, max: 32 }), (network, address, prefix) => {
        const shares = bits(network).slice(0, prefix) === bits(address).slice(0, prefix);
        expect(isAllowed(compileAllowlist([`${network}/${prefix}`]), address)).toBe(shares);
      }),
    );
  });

  it('treats an IPv4-mapped IPv6 address as IPv4', () => {
    fc.assert(
      fc.property(
        v4,
        v4,
        fc.integer({ min: 0, max: 32 }),
        fc.constantFrom('::ffff:', '::FFFF:'),
        (network, address, prefix, map) => {
          const list = compileAllowlist([`${network}/${prefix}`]);
          expect(isAllowed(list, map + address)).toBe(isAllowed(list, address));
        },
      ),
    );
  });

  it('allows an IPv6 address in any notation', () => {
    const list = compileAllowlist(['2001:db8::/32', 'fe80::1']);
    for (const address of ['2001:db8::', '2001:DB8:ffff::1', '2001:0db8:0:0:0:0:0:1', 'fe80::1', 'FE80:0::1']) {
      expect(isAllowed(list, address)).toBe(true);
    }
    for (const address of ['2001:db9::', 'fe80::2', '::1', '127.0.0.1']) expect(isAllowed(list, address)).toBe(false);
  });

  it('rejects texts that are not addresses', () => {
    const list = compileAllowlist(['0.0.0.0/0', '::/0']);
    for (const address of [
      undefined,
      '',
      'localhost',
      '1.2.3',
      '1.2.3.4:80',
      '::ffff:1.2.3',
      '1.2.3.4, 5.6.7.8',
      '01.2.3.4',
    ]) {
      expect(isAllowed(list, address)).toBe(false);
    }
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/x',
    '1.2.3.4/-1',
    '1.2.3.4/8/8',
    '::1/129',
    'localhost',
    '10.0.0.0/8 ',
  ])('does not accept the entry %j', (entry) => {
    expect(parseCidr(entry)).toBeNull();
    expect(() => compileAllowlist(['127.0.0.1', entry])).toThrow('is not a valid IP address or CIDR');
  });

  it.each([
    ['10.0.0.0/8', { address: '10.0.0.0', prefix: 8, family: 'ipv4' }],
    ['10.1.2.3', { address: '10.1.2.3', prefix: 32, family: 'ipv4' }],
    ['2001:db8::/32', { address: '2001:db8::', prefix: 32, family: 'ipv6' }],
    ['::1', { address: '::1', prefix: 128, family: 'ipv6' }],
  ])('accepts the entry %s', (entry, parsed) => expect(parseCidr(entry)).toEqual(parsed));
});
