import { CREDIT_TYPES } from '@heliograph/contracts';
import { post, type LedgerPosting } from '@heliograph/credits';
import { clientOf, testIdOf } from '@heliograph/database';
import { generateDkimKey } from '@heliograph/email-catalog';
import { Organization, Workspace } from '@heliograph/tenancy';
import { createTestOrganization } from '@heliograph/test-organizations';
import type { EntityManager } from 'typeorm';
import { applyBots } from './apply-bots';
import { applyChatapp } from './apply-chatapp';
import { applyContacts } from './apply-contacts';
import { applyEmail } from './apply-email';
import { applySms } from './apply-sms';
import type { FilePath } from '../file-positions';
import type { GeneratedKey, GeneratedPassword, Grant } from '../report';
import type { ProvisionedOrganization } from '../schema/provisioning-file';
import type { ProvisionedKey, ProvisionedUser, ProvisionedWorkspace } from '../schema/tenancy';
import type { Writers } from './writers';

/** The entry of the report. */
export interface AppliedOrganization {
  granted: Grant[];
  generated: GeneratedKey[];
  passwords: GeneratedPassword[];
  notes: string[];
}

/** Writes one organization with all its data in the given transaction. */
export async function applyOrganization(
  {
    slug,
    name,
    ipAllowlist,
    users,
    workspaces,
    apiKeys,
    sms,
    email,
    chatapp,
    bots,
    groups,
    contacts,
  }: ProvisionedOrganization,
  path: FilePath,
  writers: Writers,
  transaction: EntityManager,
): Promise<AppliedOrganization> {
  const existing = await transaction.getRepository(Organization).findOneBy({ slug });
  const details = { slug, name: name ?? existing?.name ?? slug, ipAllowlist };
  const { id } = await writers.at(path, () => writers.tenancy.putOrganization(transaction, details));
  const passwords: GeneratedPassword[] = [];
  for (const [index, user] of users.entries()) {
    const made = await writers.at([...path, 'users', index], () => applyUser(id, user, writers, transaction));
    if (made !== null) passwords.push({ email: user.email, password: made });
  }
  const granted: Grant[] = [];
  for (const [index, workspace] of workspaces.entries()) {
    const at = [...path, 'workspaces', index];
    granted.push(...(await writers.at(at, () => applyWorkspace(id, workspace, writers, transaction))));
  }
  const generated: GeneratedKey[] = [];
  for (const [index, key] of apiKeys.entries()) {
    const made = await writers.at([...path, 'apiKeys', index], () => applyKey(id, key, writers, transaction));
    if (made !== null) generated.push({ organization: slug, name: key.name, key: made });
  }
  await applySms(id, sms, [...path, 'sms'], writers, transaction);
  await applyEmail(id, email, [...path, 'email'], writers, transaction);
  const notes = await applyChatapp(id, chatapp, [...path, 'chatapp'], writers, transaction);
  notes.push(...(await applyBots(id, bots, [...path, 'bots'], writers, transaction)));
  await applyContacts(id, { groups, contacts }, path, writers, transaction);
  return { granted, generated, passwords, notes };
}

/** Returns the password if it was generated. */
async function applyUser(
  organizationId: string,
  { email, name, password, role, totpSecret }: ProvisionedUser,
  { users, members, generatePassword }: Writers,
  transaction: EntityManager,
): Promise<string | null> {
  const given = { email, name, password, totpSecret };
  const { user, generated } = await users.putUser(transaction, given, generatePassword);
  await members.put(transaction, organizationId, user.id, role);
  return generated;
}

async function applyWorkspace(
  organizationId: string,
  { slug, displayName, plan, status, billingCustomer, credits }: ProvisionedWorkspace,
  { tenancy }: Writers,
  transaction: EntityManager,
): Promise<Grant[]> {
  const existing = await transaction.getRepository(Workspace).findOneBy({ slug });
  const details = {
    slug,
    displayName: displayName ?? existing?.displayName ?? slug,
    plan: plan ?? existing?.plan ?? 'free',
    status: status ?? existing?.status ?? 'active',
    billingCustomer: billingCustomer === undefined ? (existing?.billingCustomer ?? null) : billingCustomer,
  };
  const { id } = await tenancy.putWorkspace(transaction, organizationId, details);
  const postings = CREDIT_TYPES.flatMap((creditType): LedgerPosting[] => {
    const amount = credits[creditType] ?? 0;
    if (amount === 0) return [];
    // The reference makes the grant idempotent: a second run finds it in the ledger.
    const reference = `provision:${id}:${creditType}`;
    return [{ organizationId, workspaceId: id, creditType, kind: 'topup', amount, reference, correlationId: null }];
  });
  const results = await post(await clientOf(transaction), postings);
  return postings
    .filter((_, index) => results[index]?.outcome === 'posted')
    .map(({ creditType, amount }) => ({ workspace: slug, creditType, amount }));
}

/** Test keys have this after their prefix. They belong to the test twin of the organization, which is created with the first one. */
const TEST_KEY = '_test_';

/** Returns the key if it was generated. `organizationId` is null for an unbound key. */
export async function applyKey(
  organizationId: string | null,
  { name, key, scopes, role, workspace, expiresAt, revoked }: ProvisionedKey,
  { keys, tenancy, catalog, emailCatalog, generateKey }: Writers,
  transaction: EntityManager,
): Promise<string | null> {
  const bound =
    workspace === null || organizationId === null
      ? null
      : await transaction.getRepository(Workspace).findOneByOrFail({ organizationId, slug: workspace });
  const details = { name, scopes, role, workspaceId: bound?.id ?? null, expiresAt, revoked };
  if (organizationId === null || !key?.includes(TEST_KEY)) {
    return (await keys.put(transaction, organizationId, details, key, generateKey)).generated;
  }
  const writers = { newKey: generateDkimKey, tenancy, sms: catalog, email: emailCatalog };
  const { id } = await createTestOrganization(writers, transaction, organizationId, null);
  const workspaceId = bound && testIdOf(bound.id);
  return (await keys.put(transaction, id, { ...details, workspaceId }, key, generateKey)).generated;
}
