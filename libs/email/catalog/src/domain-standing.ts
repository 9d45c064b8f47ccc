import type { LookUp } from './dns-lookup';
import { returnPathHostOf, type DnsFinding, type DnsRecordPurpose } from './dns-records';
import type { EmailDomain } from './domain.entity';

/** What one round of look-ups says about a domain. */
export interface DomainCheck {
  /** `unknown`: a look-up failed that the answer hangs on. */
  outcome: 'verified' | 'missing' | 'unknown';
  /** Of the records that could be looked up. */
  findings: DnsFinding[];
}

export function judge(lookUps: readonly { required: boolean; lookUp: LookUp }[]): DomainCheck {
  const required = lookUps.filter((each) => each.required);
  const isMissing = required.some(({ lookUp }) => lookUp !== null && lookUp.status !== 'verified');
  const isUnknown = required.some(({ lookUp }) => lookUp === null);
  return {
    outcome: isMissing ? 'missing' : isUnknown ? 'unknown' : 'verified',
    findings: lookUps.map(({ lookUp }) => lookUp).filter((lookUp) => lookUp !== null),
  };
}

type Standing = Pick<
  EmailDomain,
  'status' | 'verifiedBy' | 'returnPathHost' | 'findings' | 'checkedAt' | 'verifiedAt' | 'failingSince'
>;

/**
 * Where a domain stands after a check. What is verified stays so for the time of grace while its records are missing,
 * and what the operator has verified stays so altogether.
 */
export function standingAfter(
  before: Standing & Pick<EmailDomain, 'name'>,
  { outcome, findings }: DomainCheck,
  now: Date,
  graceMs: number,
): Partial<Standing> {
  const seen = {
    checkedAt: now,
    findings: merged(before.findings, findings),
    returnPathHost: returnPathAfter(before, findings),
  };
  const isOperators = before.status === 'verified' && before.verifiedBy === 'operator';
  if (outcome === 'unknown' || isOperators) return seen;
  if (outcome === 'verified') {
    const verifiedAt = before.status === 'verified' ? before.verifiedAt : now;
    return { ...seen, status: 'verified', verifiedBy: 'dns', verifiedAt, failingSince: null };
  }
  if (before.status !== 'verified') return seen;
  const failingSince = before.failingSince ?? now;
  const isLapsed = now.getTime() - failingSince.getTime() >= graceMs;
  return { ...seen, failingSince, status: isLapsed ? 'failed' : 'verified' };
}

/** Mail must not return to where nobody takes it: a CNAME that is gone counts at once. */
function returnPathAfter(before: Standing & Pick<EmailDomain, 'name'>, findings: DnsFinding[]): string | null {
  const finding = findings.find(({ purpose }) => purpose === 'return_path');
  if (!finding) return before.returnPathHost;
  return finding.status === 'verified' ? returnPathHostOf(before) : null;
}

function merged(before: DnsFinding[], now: DnsFinding[]): DnsFinding[] {
  const byPurpose = new Map<DnsRecordPurpose, DnsFinding>();
  for (const finding of [...before, ...now]) byPurpose.set(finding.purpose, finding);
  return [...byPurpose.values()];
}
