import { UNREACHABLE_HOSTS } from '@heliograph/testing';
import { EndpointRefused, parseEndpointUrl, resolveEndpoint } from './endpoint-url';
import { AddressGuard, isGlobalAddress, parseNetworks } from './address-guard';

const ADMITTED = ['8.8.8.8', '1.1.1.1', '134744072', '100.63.255.255', '172.32.0.1', '[2606:4700::1111]', '[2a00::1]'];

const guard = new AddressGuard([], () => new Set(['5.6.7.8']));
const rules = { guard, allowHttp: false, ownUrls: ['https://api.example.com'], resolve: () => Promise.resolve([]) };
const check = (url: string) => resolveEndpoint(parseEndpointUrl(url, rules), rules);

describe('addresses of endpoints', () => {
  it('the corpus has at least 60 notations', () => expect(new Set(UNREACHABLE_HOSTS).size).toBeGreaterThanOrEqual(60));

  it.each(UNREACHABLE_HOSTS)('%s is refused', async (host) => {
    await expect((async () => check(`https://${host}/`))()).rejects.toBeInstanceOf(EndpointRefused);
  });

  it.each(ADMITTED)('are accepted for %s', async (host) => {
    expect(await check(`https://${host}/`)).toHaveLength(1);
  });

  it.each([
    'http://8.8.8.8/',
    'ftp://8.8.8.8/',
    'file:///etc/passwd',
    'https://user:pass@8.8.8.8/',
    '//8.8.8.8',
    '',
    'https://8.8.8.8/#fragment',
    'https://api.example.com/x',
    'https://8.8.8.8\\@10.0.0.1/',
    'javascript:alert(1)',
    `https://8.8.8.8/${'x'.repeat(2_000)}`,
    'https:// 8.8.8.8/',
    'https://256.256.256.256/',
    'https://5.6.7.8/',
    'https://API.example.com/',
    'https://api.example.com./',
    'https://api.example.com:443/',
    'https://api.example.com:80/',
    'https://8.8.8.8@10.0.0.1/',
    'https://8.8.8.8:443@10.0.0.1/',
    'https://10.0.0.1?@8.8.8.8/',
    'https://10.0.0.1#@8.8.8.8/',
    'https://10.0.0.1%2f@8.8.8.8/',
    'https://[fe80::1%25eth0]/',
    'https://8.8.8.8:99999/',
    'https:\\\\10.0.0.1/',
  ])('the URL %j is refused', async (url) => {
    await expect((async () => check(url))()).rejects.toBeInstanceOf(EndpointRefused);
  });

  it('this machine is refused under every name at the port of our own URL, and admitted at another one', async () => {
    const local = {
      guard: new AddressGuard(['127.0.0.0/8']),
      allowHttp: true,
      ownUrls: ['http://localhost:8080'],
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    };
    for (const host of ['localhost', 'localhost.', 'a.localhost', '127.0.0.1', '127.1', '127.9.9.9', '[::1]']) {
      expect(() => parseEndpointUrl(`http://${host}:8080/`, local)).toThrow('an address of this service');
    }
    expect(await resolveEndpoint(parseEndpointUrl('http://localhost:8090/', local), local)).toHaveLength(1);
  });

  it('rejects a host name if any of its addresses is not allowed', async () => {
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
