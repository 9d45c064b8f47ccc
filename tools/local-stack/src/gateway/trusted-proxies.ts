import { BlockList, isIP } from 'node:net';
import { trustProxySetting } from '@heliograph/service-kit';
import { UsageError } from '../stack.config';

/** Names of address ranges in Express. */
const RANGES: Readonly<Record<string, string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Whether the X-Forwarded-* headers of a caller are trusted, according to `TRUST_PROXY`: addresses and ranges of
 * proxies, or the number of proxies in front of the gateway. Throws a UsageError.
 */
export function trustedProxies(setting: string | undefined): (address: string) => boolean {
  const trusted = trustProxySetting(setting);
  if (!Array.isArray(trusted)) return () => trusted !== false && trusted > 0;
  const list = new BlockList();
  for (const entry of trusted.flatMap((name) => RANGES[name] ?? [name])) {
    const [address = '', bits] = entry.split('/');
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const length = bits === undefined ? most : Number(bits);
    if (version === 0 || !/^\d*$/.test(bits ?? '') || length > most) {
      throw new UsageError(`TRUST_PROXY must be addresses, CIDR ranges or a number, not "${entry}".`);
    }
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** `TRUST_PROXY` of the services: the gateway, and the proxies in front of it. */
export function trustProxyOfServices(gatewayAddress: string, setting: string | undefined): string {
  const trusted = trustProxySetting(setting);
  if (trusted === false) return gatewayAddress;
  return typeof trusted === 'number' ? String(trusted + 1) : [gatewayAddress, ...trusted].join(',');
}
