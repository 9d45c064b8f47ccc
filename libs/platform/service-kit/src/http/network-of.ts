import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network by which calls are counted: an IPv4 address, or the /64 of an IPv6 address, which is assigned to one
 * subscriber (RFC 6177). IPv4-mapped addresses count as IPv4. All invalid addresses count as one network.
 */
export function networkOf(address: string | null | undefined): string {
  const text = (address ?? '').replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return 'unknown';
  return `${groupsOf(text).slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = groups(head);
  if (tail === undefined) return before;
  const after = groups(tail);
  return [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
}

function groups(part: string): string[] {
  return part
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : [parseInt(group, 16).toString(16)]));
}
