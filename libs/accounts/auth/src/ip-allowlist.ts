import { BlockList, isIP } from 'node:net';

/**
 * Compiles IPv4 and IPv6 CIDRs and addresses. An empty list allows every address and returns null. Throws for an
 * invalid entry, because entries are validated when they are stored.
 */
export function compileAllowlist(entries: string[]): BlockList | null {
  if (entries.length === 0) return null;
  const list = new BlockList();
  for (const entry of entries) {
    const parsed = parseCidr(entry);
    if (!parsed) throw new Error(`${entry} is not a valid IP address or CIDR`);
    list.addSubnet(parsed.address, parsed.prefix, parsed.family);
  }
  return list;
}

/** Whether the address is on the list. IPv4-mapped IPv6 addresses count as IPv4. */
export function isAllowed(list: BlockList | null, address: string | undefined): boolean {
  if (list === null) return true;
  if (!address) return false;
  const plain =
    address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

export function parseCidr(entry: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', bits, rest] = entry.split('/');
  const version = isIP(address);
  // Zone ids are meaningful on one host only.
  if (version === 0 || rest !== undefined || address.includes('%')) return null;
  const most = version === 4 ? 32 : 128;
  if (bits === undefined) return { address, prefix: most, family: version === 4 ? 'ipv4' : 'ipv6' };
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return null;
  return { address, prefix: Number(bits), family: version === 4 ? 'ipv4' : 'ipv6' };
}
