import { EndpointRefused, parseEndpointUrl, resolveEndpoint } from './endpoint-url';
import { AddressGuard, isGlobalAddress, parseNetworks } from './address-guard';

/** Notations of addresses that are not globally reachable, as hosts of URLs. */
const REFUSED = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '0x7f.0.0.1', '0x7f000001', '0X7F.1', '2130706433'],
  ...['017700000001', '0177.0.0.1', '0177.0.0.01', '127.0.0.0x1', '0x7f.0x0.0x0.0x1', '127.0.0.1.', '①②⑦.⓪.⓪.①'],
  ...['0', '0.0.0.0', '0.0', '0.1.2.3', '00.00.00.00', '10.0.0.1', '10.255.255.255', '012.0.0.1', '0xa.0.0.1'],
  ...['167772161', '100.64.0.1', '100.127.255.255', '169.254.169.254', '0xa9fea9fe', '2852039166', '169.254.43518'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.170', '192.0.2.1', '192.88.99.1', '192.168.0.1'],
  ...['192.168.1', '3232235521', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]'],
  ...['[0000::0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:8.8.8.8]', '[::127.0.0.1]', '[::7f00:1]'],
  ...['[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::1]', '[100::1]', '[2001::1]', '[2001:db8::1]'],
  ...['[2002:7f00:1::]', '[2002:0a00:0001::]', '[2002:c0a8:101::1]', '[fc00::1]', '[fd12:3456::1]', '[fe80::1]'],
  ...['[fec0::1]', '[ff02::1]', '[3fff::1]', '[5f00::1]', '[::ffff:0:127.0.0.1]', '[2001:20::1]', '[4000::1]'],
];
const ADMITTED = ['8.8.8.8', '1.1.1.1', '134744072', '100.63.255.255', '172.32.0.1', '[2606:4700::1111]', '[2a00::1]'];

const guard = new AddressGuard([], () => new Set(['5.6.7.8']));
const rules = { guard, allowHttp: false, ownHosts: ['api.example.com'], resolve: () => Promise.resolve([]) };
const check = (url: string) => resolveEndpoint(parseEndpointUrl(url, rules), rules);

describe('the addresses of endpoints', () => {
  it('have at least 60 notations in the test corpus', () => expect(new Set(REFUSED).size).toBeGreaterThanOrEqual(60));

  it.each(REFUSED)('are rejected for %s', async (host) => {
    await expect((async () => check(`https://${host}/`))()).rejects.toBeInstanceOf(EndpointRefused);
  });

  it.each(ADMITTED)('are accepted for %s', async (host) => {
    expect(await check(`https://${host}/`)).toHaveLength(1);
  });

  it.each([
    ...['http://8.8.8.8/', 'ftp://8.8.8.8/', 'file:///etc/passwd', 'https://user:pass@8.8.8.8/', '//8.8.8.8', ''],
    ...['https://8.8.8.8/#fragment', 'https://api.example.com/x', 'https://8.8.8.8\\@10.0.0.1/', 'javascript:alert(1)'],
    ...[`https://8.8.8.8/${'x'.repeat(2_000)}`, 'https:// 8.8.8.8/', 'https://256.256.256.256/', 'https://5.6.7.8/'],
  ])('are rejected for the URL %j', async (url) => {
    await expect((async () => check(url))()).rejects.toBeInstanceOf(EndpointRefused);
  });

  it('are rejected if one of the addresses of a name is rejected', async () => {
    const resolve = () =>
      Promise.resolve([
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const url = new URL('https://mixed.example.com/');
    await expect(resolveEndpoint(url, { ...rules, resolve })).rejects.toBeInstanceOf(EndpointRefused);
  });

  it('are accepted in configured networks, and only there', () => {
    const local = new AddressGuard(['127.0.0.0/8', 'fd00::/8'], () => new Set());
    const of = ['127.0.0.1', '127.9.9.9', 'fd00::1', '10.0.0.1', '::1', '::ffff:10.0.0.1'].map((one) =>
      local.admits(one),
    );
    expect(of).toEqual([true, true, true, false, false, false]);
  });

  it('are not global if the text is not an address, and malformed networks are reported', () => {
    expect(['', 'localhost', '1.2.3', 'fe80::1%eth0'].map(isGlobalAddress)).toEqual([false, false, false, false]);
    for (const network of ['10.0.0.0', '10.0.0.0/33', 'x/8', '::/129']) {
      expect(() => parseNetworks([network])).toThrow(network);
    }
  });
});
