import type { LookUp } from './dns-lookup';
import type { DnsFinding, DnsRecordPurpose } from './dns-finding';
import { returnPathHostOf } from './dns-records';
import type { EmailDomain } from './domain.entity';

/** The result of checking a domain. */
export interface DomainCheck {
  /** `unknown`: the look-up of a required record failed. */
  outcome: 'verified' | 'missing' | 'unknown';
  /** The records whose look-up succeeded. */
  findings: DnsFinding[];
}

export function evaluateLookUps(lookUps: readonly { required: boolean; lookUp: LookUp }[]): DomainCheck {
  const required = lookUps.filter((each) => each.required);
  const isMissing = required.some(({ lookUp }) => lookUp !== null && lookUp.status !== 'verified');
  const isUnknown = required.some(({ lookUp }) => lookUp === null);
  return {
    outcome: isMissing ? 'missing' : isUnknown ? 'unknown' : 'verified',
    findings: lookUps.map(({ lookUp }) => lookUp).filter((lookUp) => lookUp !== null),
  };
}

type DomainState = Pick<
  EmailDomain,
  'status' | 'verifiedBy' | 'returnPathHost' | 'findings' | 'checkedAt' | 'verifiedAt' | 'failingSince'
>;

/**
 * The state of a domain after a check. A verified domain stays verified during the grace period while its records are
 * missing; a domain verified by the operator always stays verified.
 */
export function stateAfter(
  before: DomainState & Pick<EmailDomain, 'name'>,
  { outcome, findings }: DomainCheck,
  now: Date,
  graceMs: number,
): Partial<DomainState> {
  const seen = {
    checkedAt: now,
    findings: merged(before.findings, findings),
    returnPathHost: returnPathAfter(before, findings),
  };
  const isSetByOperator = before.status === 'verified' && before.verifiedBy === 'operator';
  if (outcome === 'unknown' || isSetByOperator) return seen;
  if (outcome === 'verified') {
    const verifiedAt = before.status === 'verified' ? before.verifiedAt : now;
    return { ...seen, status: 'verified', verifiedBy: 'dns', verifiedAt, failingSince: null };
  }
  if (before.status !== 'verified') return seen;
  const failingSince = before.failingSince ?? now;
  const isGraceOver = now.getTime() - failingSince.getTime() >= graceMs;
  return { ...seen, failingSince, status: isGraceOver ? 'failed' : 'verified' };
}

/** A missing CNAME takes effect immediately, because returned mail would be lost. */
function returnPathAfter(before: DomainState & Pick<EmailDomain, 'name'>, findings: DnsFinding[]): string | null {
  const finding = findings.find(({ purpose }) => purpose === 'return_path');
  if (!finding) return before.returnPathHost;
  return finding.status === 'verified' ? returnPathHostOf(before) : null;
}

function merged(before: DnsFinding[], now: DnsFinding[]): DnsFinding[] {
  const byPurpose = new Map<DnsRecordPurpose, DnsFinding>();
  for (const finding of [...before, ...now]) byPurpose.set(finding.purpose, finding);
  return [...byPurpose.values()];
}
