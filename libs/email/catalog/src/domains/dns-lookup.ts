import { Resolver } from 'node:dns/promises';
import type { DnsFinding } from './dns-finding';
import type { DnsRecord, ExpectedRecord } from './dns-records';
import type { EmailDomainConfig } from './domains.config';

const TRIES = 2;
const MAX_FOUND = 10;
const MAX_FOUND_LENGTH = 1_000;
/** The name does not exist, or has no record of this type: a valid answer. */
const NOTHING_THERE = ['ENOTFOUND', 'ENODATA'];

/** The result of a look-up; null if the look-up failed. */
export type LookUp = DnsFinding | null;

export class DnsLookup {
  private readonly resolver: Resolver;

  constructor({ EMAIL_DNS_SERVERS, EMAIL_DNS_TIMEOUT_MS }: EmailDomainConfig) {
    this.resolver = new Resolver({ timeout: EMAIL_DNS_TIMEOUT_MS, tries: TRIES });
    if (EMAIL_DNS_SERVERS.length > 0) this.resolver.setServers(EMAIL_DNS_SERVERS);
  }

  /** Never throws, because an unavailable DNS server says nothing about a domain. */
  async find(expected: ExpectedRecord): Promise<LookUp> {
    const texts = await this.read(expected);
    if (texts === null) return null;
    const found = texts.filter(expected.concerns);
    const status = found.length === 0 ? 'pending' : expected.isRight(found) ? 'verified' : 'failed';
    return { purpose: expected.purpose, status, found: found.slice(0, MAX_FOUND).map(presentable) };
  }

  private async read({ type, name }: Pick<DnsRecord, 'type' | 'name'>): Promise<string[] | null> {
    try {
      if (type === 'CNAME') return await this.resolver.resolveCname(name);
      // The strings of one record are concatenated without a separator (RFC 7208, 3.3).
      return (await this.resolver.resolveTxt(name)).map((strings) => strings.join(''));
    } catch (error) {
      return NOTHING_THERE.includes(String((error as NodeJS.ErrnoException).code)) ? [] : null;
    }
  }
}

/** Converts the bytes of a record to text that can be stored and displayed. */
function presentable(text: string): string {
  return text
    .slice(0, MAX_FOUND_LENGTH)
    .replace(/\p{Cc}/gu, '\ufffd')
    .toWellFormed();
}
