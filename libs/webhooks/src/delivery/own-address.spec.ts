import { AddressGuard } from './address-guard';
import { EndpointRefused, parseEndpointUrl, resolveEndpoint } from './endpoint-url';

const rules = { allowHttp: true, ownUrls: ['http://localhost:8080', 'https://api.heliograph.example'] };
const own = /must not be an address of this service/;

describe('an address of this service', () => {
  it.each([
    'http://localhost:8080/x',
    'http://LOCALHOST:8080/',
    'http://localhost.:8080/',
    'http://localhost..:8080/',
    'http://a.localhost:8080/',
    'http://127.0.0.1:8080/',
    'http://127.9.9.9:8080/',
    'http://127.1:8080/',
    'http://0x7f.1:8080/',
    'http://0x7f000001:8080/',
    'http://017700000001:8080/',
    'http://2130706433:8080/',
    'http://0.0.0.0:8080/',
    'http://0:8080/',
    'http://１２７.０.０.１:8080/',
    'http://127。0。0。1:8080/',
    'http://[::1]:8080/',
    'http://[::]:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://[::FFFF:7f00:1]:8080/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]:8080/',
    'http://[::ffff:0:127.0.0.1]:8080/',
    'http://[::127.0.0.1]:8080/',
    'https://api.heliograph.example/x',
    'https://API.heliograph.example./x',
    'https://api。heliograph。example/x',
    'http://api.heliograph.example:80/x',
  ])('is not an endpoint: %s', (url) => {
    expect(() => parseEndpointUrl(url, rules)).toThrow(own);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'is not an endpoint under a name that resolves to %s',
    async (address) => {
      const guard = new AddressGuard(['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104']);
      const resolve = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }]);
      const resolved = (url: string) => resolveEndpoint(parseEndpointUrl(url, rules), { ...rules, guard, resolve });
      await expect(resolved('http://mine.example:8080/x')).rejects.toThrow(own);
      await expect(resolved('http://mine.example:9090/x')).resolves.toHaveLength(1);
    },
  );

  it.each([
    ['NUL', 'https://example.com/a\0b'],
    ['an encoded line break in the raw text', 'https://example.com/a\r\nb'],
    ['a trailing control character', 'https://example.com/\u0001'],
    ['a lone surrogate', 'https://example.com/\ud800'],
    ['a bidirectional override', 'https://example.com/\u202egpj'],
    ['a zero-width space', 'https://exam\u200bple.com/'],
    ['a space', 'https://example.com/a b'],
  ])('is not an endpoint, nor is a URL with %s', (_what, url) => {
    expect(() => parseEndpointUrl(url, rules)).toThrow(EndpointRefused);
  });

  it('is not confused with another port or another name', () => {
    for (const url of ['http://127.0.0.1:9090/', 'https://hooks.example/', 'http://[::ffff:192.0.2.1]:8080/']) {
      expect(parseEndpointUrl(url, rules).href).toContain('http');
    }
  });
});
