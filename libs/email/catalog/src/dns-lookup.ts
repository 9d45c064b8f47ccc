import { Resolver } from 'node:dns/promises';
import type { DnsFinding, DnsRecord, ExpectedRecord } from './dns-records';
import type { EmailDomainConfig } from './domains.config';

const TRIES = 2;
const MAX_FOUND = 10;
const MAX_FOUND_LENGTH = 1_000;
/** The name, or the name with this type, is not there: an answer as good as any other. */
const NOTHING_THERE = ['ENOTFOUND', 'ENODATA'];

/** What a look-up found; null when nobody could say. */
export type LookUp = DnsFinding | null;

export class DnsLookup {
  private readonly resolver: Resolver;

  constructor({ EMAIL_DNS_SERVERS, EMAIL_DNS_TIMEOUT_MS }: EmailDomainConfig) {
    this.resolver = new Resolver({ timeout: EMAIL_DNS_TIMEOUT_MS, tries: TRIES });
    if (EMAIL_DNS_SERVERS.length > 0) this.resolver.setServers(EMAIL_DNS_SERVERS);
  }

  /** Never throws: a server that is away, slow or broken says nothing about a domain. */
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
      // One record may come as several strings of 255 octets, with nothing between them (RFC 7208, 3.3).
      return (await this.resolver.resolveTxt(name)).map((strings) => strings.join(''));
    } catch (error) {
      return NOTHING_THERE.includes(String((error as NodeJS.ErrnoException).code)) ? [] : null;
    }
  }
}

/** Records hold any octets; what is stored and shown is text. */
function presentable(text: string): string {
  return text
    .slice(0, MAX_FOUND_LENGTH)
    .replace(/\p{Cc}/gu, '\ufffd')
    .toWellFormed();
}
