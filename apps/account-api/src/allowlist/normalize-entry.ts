import { SocketAddress } from 'node:net';
import { parseCidr } from '@heliograph/auth';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;
const MAPPED_BITS = 96;

/**
 * An address or CIDR in the one way of writing it: lower case, IPv6 compressed, no prefix where it is the whole
 * address, IPv4 mapped into IPv6 as IPv4. Null for what is neither, an address with a zone included.
 */
export function normalizeEntry(entry: string): string | null {
  const parsed = parseCidr(entry.trim());
  if (!parsed || parsed.address.includes('%')) return null;
  const { address } = new SocketAddress({ address: parsed.address, family: parsed.family });
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) {
    return parsed.prefix < MAPPED_BITS ? null : show(mapped, parsed.prefix - MAPPED_BITS, 32);
  }
  return show(address, parsed.prefix, parsed.family === 'ipv4' ? 32 : 128);
}

function show(address: string, prefix: number, most: number): string {
  return prefix === most ? address : `${address}/${prefix}`;
}
