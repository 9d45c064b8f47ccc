import { randomBytes } from 'node:crypto';
import { generateDkimKey } from './dkim-key';
import type { DomainStatus, EmailDomain } from './domain.entity';

/** What a domain gets when it is added, and keeps: the records that are published depend on it. */
export async function newDomainValues(): Promise<Partial<EmailDomain>> {
  const { publicKey, privateKey } = await generateDkimKey();
  return {
    status: 'pending',
    verificationToken: randomBytes(20).toString('hex'),
    // Two organizations, or two platforms, may publish keys for one domain: each has a selector of its own.
    dkimSelector: `mail-${randomBytes(4).toString('hex')}`,
    dkimPublicKey: publicKey,
    dkimPrivateKey: privateKey,
    findings: [],
  };
}

/** What the operator says of a domain; undefined: nothing. */
export function declaredStanding(
  status: DomainStatus | undefined,
  before: EmailDomain | null,
  now: Date,
): Partial<EmailDomain> {
  if (status === undefined) return {};
  if (status === 'verified') {
    const verifiedAt = before?.status === 'verified' ? before.verifiedAt : now;
    return { status, verifiedBy: 'operator', verifiedAt, failingSince: null };
  }
  return before?.status === status ? {} : { status, verifiedBy: null, failingSince: null };
}
