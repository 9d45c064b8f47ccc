import { UsageError } from '../stack.config';
import { trustedProxies, trustProxyOfServices } from './trusted-proxies';

describe('TRUST_PROXY of the local stack', () => {
  it.each([
    [undefined, '127.0.0.1', false],
    ['false', '127.0.0.1', false],
    ['0', '127.0.0.1', false],
    ['1', '203.0.113.9', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.3', false],
    ['10.0.0.0/8, ::1', '10.1.2.3', true],
    ['10.0.0.0/8, ::1', '::1', true],
    ['10.0.0.0/8, ::1', '11.1.2.3', false],
    ['loopback', '127.9.9.9', true],
    ['uniquelocal', 'fd00::1', true],
  ])('with the value %s trusts %s: %s', (setting, address, expected) =>
    expect(trustedProxies(setting)(address)).toBe(expected),
  );

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0', '10.0.0.0/x', '1,'])('rejects %s', (setting) =>
    expect(() => trustedProxies(setting)).toThrow(UsageError),
  );

  it.each([
    [undefined, '127.0.0.2'],
    ['10.0.0.0/8, ::1', '127.0.0.2,10.0.0.0/8,::1'],
    ['1', '2'],
  ])('with the value %s makes the services trust %s', (setting, expected) =>
    expect(trustProxyOfServices('127.0.0.2', setting)).toBe(expected),
  );
});
