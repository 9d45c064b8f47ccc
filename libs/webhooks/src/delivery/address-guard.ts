import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** IPv4 networks that are not globally reachable (IANA special-purpose registry), and multicast. */
const REFUSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Within 2000::/3, the only IPv6 range with global unicast addresses. */
const REFUSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'];
const GLOBAL_V6 = '2000::/3';

/** Networks in CIDR notation. Throws for anything else. */
export function parseNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    if (version === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
      throw new Error(`"${network}" is not a network such as 127.0.0.0/8`);
    }
    list.addSubnet(address, Number(prefix), version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

const refused = parseNetworks([...REFUSED_V4, ...REFUSED_V6]);
const globalV6 = parseNetworks([GLOBAL_V6]);

function includes(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Whether an IP address is globally reachable. False for anything that is not an IP address, or has a zone. */
export function isGlobalAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !includes(refused, address);
  return version === 6 && !address.includes('%') && includes(globalV6, address) && !includes(refused, address);
}

/** Decides which addresses deliveries may connect to. */
export class AddressGuard {
  private readonly allowed: BlockList;

  /**
   * `allowedNetworks`: CIDR networks that are allowed although they are not globally reachable or belong to this
   * machine.
   */
  constructor(
    allowedNetworks: readonly string[],
    private readonly ownAddresses: () => ReadonlySet<string> = readOwnAddresses,
  ) {
    this.allowed = parseNetworks(allowedNetworks);
  }

  admits(address: string): boolean {
    return this.isAllowed(address) || (isGlobalAddress(address) && !this.ownAddresses().has(address));
  }

  /** Whether an address is in one of the allowed networks. */
  isAllowed(address: string): boolean {
    return isIP(address) !== 0 && includes(this.allowed, address);
  }
}

/** The addresses of the network interfaces of this machine. */
function readOwnAddresses(): ReadonlySet<string> {
  return new Set(
    Object.values(networkInterfaces())
      .flat()
      .flatMap((one) => (one ? [one.address] : [])),
  );
}
