import { readDomainName } from '@heliograph/addresses';
import type { DnsFinding, DnsRecordPurpose } from './dns-finding';
import type { EmailDomain } from './domain.entity';
import type { EmailDomainConfig } from './domains.config';
import { isDkimRecordOf, isDmarcRecord, isSpfRecord, spfIncludes } from './record-text';

/** A record that an organization must publish for its domain. */
export interface DnsRecord extends DnsFinding {
  type: 'TXT' | 'CNAME';
  /** The full name, without a trailing dot. */
  name: string;
  value: string;
  /** A domain is verified if all required records are valid. */
  required: boolean;
}

/** A record to look up, with the rules that validate it. */
export interface ExpectedRecord extends Omit<DnsRecord, 'status' | 'found'> {
  /** Whether a text record at this name is relevant: other services also publish records at the root. */
  concerns: (text: string) => boolean;
  /** Whether the relevant texts are valid; called with at least one. */
  isRight: (texts: string[]) => boolean;
}

const RETURN_PATH_LABEL = 'bounces';
const TRACKING_LABEL = 'links';
const OWNERSHIP_LABEL = '_mail-verification';

export function returnPathHostOf({ name }: Pick<EmailDomain, 'name'>): string {
  return `${RETURN_PATH_LABEL}.${name}`;
}

/** Returns the records of a domain, required ones first. Records without a configured value are omitted. */
export function expectedRecords(
  domain: Pick<EmailDomain, 'name' | 'verificationToken' | 'dkimSelector' | 'dkimPublicKey'>,
  config: EmailDomainConfig,
): ExpectedRecord[] {
  const { name, verificationToken, dkimSelector, dkimPublicKey } = domain;
  const returnPath = config.EMAIL_RETURN_PATH_DOMAIN;
  const spfHost = config.EMAIL_SPF_HOST ?? returnPath;
  const trackingHost = trackingHostOf(config);
  const proof = `mail-verification=${verificationToken}`;
  const records: (ExpectedRecord | null)[] = [
    {
      ...txt(`${OWNERSHIP_LABEL}.${name}`, proof, 'ownership'),
      isRight: (texts) => texts.some((text) => text.trim() === proof),
    },
    {
      ...txt(`${dkimSelector}._domainkey.${name}`, `v=DKIM1; k=rsa; p=${dkimPublicKey}`, 'dkim'),
      // With several records, the choice of the receiver is undefined (RFC 6376, 3.6.2.2).
      isRight: ([text = '', ...more]) => more.length === 0 && isDkimRecordOf(text, dkimPublicKey),
    },
    spfHost === undefined
      ? null
      : {
          ...txt(name, `v=spf1 include:${spfHost} ~all`, 'spf'),
          concerns: isSpfRecord,
          // Several records are an error, and receivers ignore all of them (RFC 7208, 4.5).
          isRight: ([text = '', ...more]) => more.length === 0 && spfIncludes(text, spfHost),
        },
    returnPath === undefined ? null : cname(returnPathHostOf(domain), returnPath, 'return_path', true),
    {
      ...txt(`_dmarc.${name}`, 'v=DMARC1; p=none;', 'dmarc'),
      required: false,
      concerns: isDmarcRecord,
      isRight: (texts) => texts.length === 1,
    },
    trackingHost === null ? null : cname(`${TRACKING_LABEL}.${name}`, trackingHost, 'tracking', false),
  ];
  return records.filter((record) => record !== null);
}

/** Returns the records with the results of the last check. */
export function recordsOf(domain: EmailDomain, config: EmailDomainConfig): DnsRecord[] {
  const findings = new Map(domain.findings.map((finding) => [finding.purpose, finding]));
  return expectedRecords(domain, config).map(({ type, name, value, purpose, required }) => {
    const { status, found } = findings.get(purpose) ?? { status: 'pending' as const, found: [] };
    return { type, name, value, purpose, required, status, found };
  });
}

function txt(name: string, value: string, purpose: DnsRecordPurpose) {
  return { type: 'TXT', name, value, purpose, required: true, concerns: () => true } as const;
}

function cname(name: string, target: string, purpose: DnsRecordPurpose, required: boolean): ExpectedRecord {
  const leadsThere = (host: string): boolean => host.toLowerCase() === target;
  return {
    type: 'CNAME',
    name,
    value: target,
    purpose,
    required,
    concerns: () => true,
    isRight: (hosts) => hosts.every(leadsThere),
  };
}

/** Returns null if the host cannot be the target of a CNAME, such as an IP address or localhost. */
function trackingHostOf({ PUBLIC_TRACKING_URL, PUBLIC_BASE_URL }: EmailDomainConfig): string | null {
  const url = PUBLIC_TRACKING_URL ?? PUBLIC_BASE_URL;
  return url === undefined ? null : readDomainName(new URL(url).hostname);
}
