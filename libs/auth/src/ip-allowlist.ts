import { BlockList, isIP } from 'node:net';

/**
 * Compiles CIDRs and single addresses, IPv4 and IPv6. An empty list means any address: null. An entry that is not an
 * address throws: it must have been refused when it was written.
 */
export function compileAllowlist(entries: string[]): BlockList | null {
  if (entries.length === 0) return null;
  const list = new BlockList();
  for (const entry of entries) {
    const parsed = parseCidr(entry);
    if (!parsed) throw new Error(`${entry} is not an IP address or CIDR`);
    list.addSubnet(parsed.address, parsed.prefix, parsed.family);
  }
  return list;
}

/** Whether a caller's address is on the list. An IPv4 address that arrives mapped into IPv6 counts as IPv4. */
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
  // A zone means something on one machine alone.
  if (version === 0 || rest !== undefined || address.includes('%')) return null;
  const most = version === 4 ? 32 : 128;
  if (bits === undefined) return { address, prefix: most, family: version === 4 ? 'ipv4' : 'ipv6' };
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return null;
  return { address, prefix: Number(bits), family: version === 4 ? 'ipv4' : 'ipv6' };
}
