import { SocketAddress } from 'node:net';
import { parseCidr } from '@heliograph/auth';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;
const MAPPED_BITS = 96;

/**
 * Normalizes an address or CIDR: lower case, compressed IPv6, no prefix length for a single address, IPv4-mapped IPv6
 * as IPv4. Returns null for invalid input, including addresses with a zone id.
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
