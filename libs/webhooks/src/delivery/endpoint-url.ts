import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard';

/** Resolves a name to its addresses, like `dns.promises.lookup` with `all`. */
export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

export interface EndpointRules {
  guard: AddressGuard;
  allowHttp: boolean;
  /** Public URLs of our own services, to which nothing is delivered. */
  ownUrls: readonly string[];
  resolve: ResolveHost;
}

/** The reason why a URL is rejected as an endpoint, as a message for the caller. */
export class EndpointRefused extends Error {}

const MAX_URL_LENGTH = 2_000;
/** The URL parser removes or encodes some of these characters silently. */
const UNSOUND = /[\s\\\p{Cc}\p{Cf}\p{Cs}]/u;
/** An IPv4 address in IPv6 (RFC 4291, section 2.5.5), as the URL parser and resolvers write it. */
const MAPPED = /^::(?:ffff:(?:0:)?)?(?:([0-9a-f]{1,4}):([0-9a-f]{1,4})|(\d+\.\d+\.\d+\.\d+))$/i;
/** Names of this machine, which no resolver is asked for (RFC 6761, section 6.3). */
const LOCALHOST = /(^|\.)localhost\.*$/i;
const LOOPBACK_ADDRESSES: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The URL of an endpoint. Throws EndpointRefused. Numeric notations of IPv4 addresses are normalized by the URL parser. */
export function parseEndpointUrl(text: string, rules: Pick<EndpointRules, 'allowHttp' | 'ownUrls'>): URL {
  if (text.length > MAX_URL_LENGTH || UNSOUND.test(text) || !URL.canParse(text)) {
    throw new EndpointRefused(
      `url must be an absolute URL of at most ${MAX_URL_LENGTH} characters, without spaces, control and invisible characters.`,
    );
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(rules.allowHttp && url.protocol === 'http:')) {
    throw new EndpointRefused('url must start with https://.');
  }
  if (url.username !== '' || url.password !== '') throw new EndpointRefused('url must not contain credentials.');
  if (url.hash !== '') throw new EndpointRefused('url must not contain a fragment.');
  if (hostOf(url) === '' || rules.ownUrls.some((own) => isOwn(url, new URL(own)))) {
    throw new EndpointRefused('url must not be an address of this service.');
  }
  return url;
}

/**
 * Returns the addresses of an endpoint: those in allowed networks if there are any, such as 127.0.0.1 for `localhost`,
 * otherwise all. Throws EndpointRefused if an address is not allowed, and the error of a failed look-up.
 */
export async function resolveEndpoint(
  url: URL,
  { guard, resolve, ownUrls }: EndpointRules,
): Promise<readonly LookupAddress[]> {
  const addresses = knownAddressesOf(url) ?? (await resolve(hostOf(url)));
  const isOwnAddress = ({ address, family }: LookupAddress): boolean => {
    const resolved = new URL(url);
    resolved.hostname = family === 6 ? `[${address}]` : address;
    return ownUrls.some((own) => isOwn(resolved, new URL(own)));
  };
  if (addresses.some(isOwnAddress)) throw new EndpointRefused('url must not be an address of this service.');
  return admittedOf(addresses, guard);
}

/** Throws EndpointRefused for a URL with an IP address that is not allowed. Names are checked when they are resolved. */
export function checkAddressOf(url: URL, { guard }: Pick<EndpointRules, 'guard'>): void {
  const known = knownAddressesOf(url);
  if (known) admittedOf(known, guard);
}

/** The addresses that no resolver is asked for. */
function knownAddressesOf(url: URL): readonly LookupAddress[] | null {
  const host = hostOf(url);
  const family = isIP(host);
  if (LOCALHOST.test(host)) return LOOPBACK_ADDRESSES;
  return family === 0 ? null : [{ address: host, family }];
}

function admittedOf(addresses: readonly LookupAddress[], guard: AddressGuard): readonly LookupAddress[] {
  const allowed = addresses.filter(({ address }) => guard.isAllowed(address));
  if (allowed.length > 0) return allowed;
  if (addresses.length === 0 || !addresses.every(({ address }) => guard.admits(address))) {
    throw new EndpointRefused('url must resolve to globally reachable addresses only.');
  }
  return addresses;
}

/** The host without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

const DEFAULT_PORTS = new Set(['80', '443']);

/** Whether a URL has the name and the port of one of our own URLs, or a default port of that name. */
function isOwn(url: URL, own: URL): boolean {
  const port = portOf(url);
  return nameOf(url) === nameOf(own) && (port === portOf(own) || DEFAULT_PORTS.has(port));
}

/** The host without the dots of an absolute domain name, in one notation for each IPv4 address; one name for this machine. */
function nameOf(url: URL): string {
  const host = ipv4Of(hostOf(url).replace(/\.+$/, ''));
  return /^127\.|^::1?$|^0\.0\.0\.0$/.test(host) || LOCALHOST.test(host) ? 'localhost' : host;
}

/** The IPv4 address that an IPv6 address contains; any other host as it is. */
function ipv4Of(host: string): string {
  const [, high, low, dotted] = MAPPED.exec(host) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return host;
  const first = parseInt(high, 16);
  const second = parseInt(low, 16);
  return [first >> 8, first & 0xff, second >> 8, second & 0xff].join('.');
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'http:' ? '80' : '443') : port;
}
