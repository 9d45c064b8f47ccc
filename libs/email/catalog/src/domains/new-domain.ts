import { randomBytes } from 'node:crypto';
import { newId } from '@heliograph/database';
import type { KeyRing } from '@heliograph/secrets';
import type { DkimKey } from './dkim-key';
import type { DomainStatus, EmailDomain } from './domain.entity';
import { DKIM_PRIVATE_KEY } from './domain-secrets';

/** Returns the values of a new domain. They never change, because published DNS records depend on them. */
export function newDomainValues({ publicKey, privateKey }: DkimKey, keys: KeyRing): Partial<EmailDomain> {
  const id = newId();
  return {
    id,
    status: 'pending',
    verificationToken: randomBytes(20).toString('hex'),
    // Several organizations or installations can publish keys for one domain, so each has its own selector.
    dkimSelector: `mail-${randomBytes(4).toString('hex')}`,
    dkimPublicKey: publicKey,
    dkimPrivateKey: DKIM_PRIVATE_KEY.seal(keys, id, privateKey),
    findings: [],
  };
}

/** Returns the changes for a status declared by the operator; none if it is undefined. */
export function declaredState(
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
