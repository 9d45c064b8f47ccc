import { readDomainName } from '@heliograph/email-address';
import type { EmailDomain } from './domain.entity';
import type { EmailDomainConfig } from './domains.config';
import { isDkimRecordOf, isDmarcRecord, isSpfRecord, spfIncludes } from './record-text';

export type DnsRecordPurpose = 'ownership' | 'dkim' | 'spf' | 'return_path' | 'dmarc' | 'tracking';
/** `pending`: nothing is there yet, or nobody could say; `failed`: something else is there. */
export type DnsRecordStatus = 'pending' | 'verified' | 'failed';

/** What a check found of one record. */
export interface DnsFinding {
  purpose: DnsRecordPurpose;
  status: DnsRecordStatus;
  /** What stands there now. */
  found: string[];
}

/** A record that an organization publishes for its domain. */
export interface DnsRecord extends DnsFinding {
  type: 'TXT' | 'CNAME';
  /** The whole name, without a dot at the end. */
  name: string;
  value: string;
  /** A domain is verified when all of these are right. */
  required: boolean;
}

/** A record to look up, and how what is found is judged. */
export interface ExpectedRecord extends Omit<DnsRecord, 'status' | 'found'> {
  /** Whether a text at the name is about this at all: the root holds the texts of many. */
  concerns: (text: string) => boolean;
  /** Is asked when at least one text concerns it. */
  isRight: (texts: string[]) => boolean;
}

const RETURN_PATH_LABEL = 'bounces';
const TRACKING_LABEL = 'links';
const OWNERSHIP_LABEL = '_mail-verification';

export function returnPathHostOf({ name }: Pick<EmailDomain, 'name'>): string {
  return `${RETURN_PATH_LABEL}.${name}`;
}

/** The records of a domain, those that are required first. Those for which there is no setting are left out. */
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
      // Which of several a receiver takes is left to chance (RFC 6376, 3.6.2.2).
      isRight: ([text = '', ...more]) => more.length === 0 && isDkimRecordOf(text, dkimPublicKey),
    },
    spfHost === undefined
      ? null
      : {
          ...txt(name, `v=spf1 include:${spfHost} ~all`, 'spf'),
          concerns: isSpfRecord,
          // Two are an error that makes every receiver ignore both (RFC 7208, 4.5).
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

/** The records as they are shown, with what the last check found. */
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
    ...{ type: 'CNAME', name, value: target, purpose, required, concerns: () => true },
    isRight: (hosts) => hosts.every(leadsThere),
  };
}

/** Null where there is none that a record may lead to: an address, or the machine itself. */
function trackingHostOf({ PUBLIC_TRACKING_URL, PUBLIC_BASE_URL }: EmailDomainConfig): string | null {
  const url = PUBLIC_TRACKING_URL ?? PUBLIC_BASE_URL;
  return url === undefined ? null : readDomainName(new URL(url).hostname);
}
