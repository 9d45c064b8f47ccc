import type { ApiKeysService } from '@heliograph/auth';
import { CREDIT_TYPES } from '@heliograph/contracts';
import { post, type LedgerPosting } from '@heliograph/credits';
import type { CatalogService } from '@heliograph/sms-api';
import { Organization, Workspace, type TenancyService } from '@heliograph/tenancy';
import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';
import type { FilePath } from './file-positions';
import type { GeneratedKey, Grant } from './report';
import type { ProvisionedOrganization } from './schema/provisioning-file';
import type { ProvisionedSms } from './schema/sms';
import type { ProvisionedKey, ProvisionedWorkspace } from './schema/tenancy';

export interface Writers {
  tenancy: TenancyService;
  keys: ApiKeysService;
  catalog: CatalogService;
  generateKey: () => string;
  /** Runs one write; what goes wrong in it is reported at this place of the file. */
  at<T>(path: FilePath, write: () => Promise<T>): Promise<T>;
}

/** Writes one organization with all it has, in the given transaction. */
export async function applyOrganization(
  { slug, name, ipAllowlist, workspaces, apiKeys, sms }: ProvisionedOrganization,
  path: FilePath,
  writers: Writers,
  transaction: EntityManager,
): Promise<{ granted: Grant[]; generated: GeneratedKey[] }> {
  const existing = await transaction.getRepository(Organization).findOneBy({ slug });
  const details = { slug, name: name ?? existing?.name ?? slug, ipAllowlist };
  const { id } = await writers.at(path, () => writers.tenancy.putOrganization(details, transaction));
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
  return { granted, generated };
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
  const { id } = await tenancy.putWorkspace(organizationId, details, transaction);
  const postings = CREDIT_TYPES.flatMap((creditType): LedgerPosting[] => {
    const amount = credits[creditType] ?? 0;
    if (amount === 0) return [];
    // The reference is what makes a grant happen once: a second run finds it in the ledger.
    const reference = `provision:${id}:${creditType}`;
    return [{ organizationId, workspaceId: id, creditType, kind: 'topup', amount, reference, correlationId: null }];
  });
  const results = await post(await connectionOf(transaction), postings);
  return postings
    .filter((_, index) => results[index]?.outcome === 'posted')
    .map(({ creditType, amount }) => ({ workspace: slug, creditType, amount }));
}

/** Answers the key when it was generated. `organizationId` is null for a key of nobody. */
export async function applyKey(
  organizationId: string | null,
  { name, key, scopes, role, workspace, expiresAt, revoked }: ProvisionedKey,
  { keys, generateKey }: Writers,
  transaction: EntityManager,
): Promise<string | null> {
  const bound =
    workspace === null || organizationId === null
      ? null
      : await transaction.getRepository(Workspace).findOneByOrFail({ organizationId, slug: workspace });
  const details = { name, scopes, role, workspaceId: bound?.id ?? null, expiresAt, revoked };
  return (await keys.put(organizationId, details, key, generateKey, transaction)).generated;
}

async function applySms(
  organizationId: string,
  { onboardings, senders, templates }: ProvisionedSms,
  path: FilePath,
  { catalog, at }: Writers,
  transaction: EntityManager,
): Promise<void> {
  for (const [index, onboarding] of onboardings.entries()) {
    await at([...path, 'onboardings', index], () => catalog.putOnboarding(organizationId, onboarding, transaction));
  }
  const ids = await onboardingIds(organizationId, transaction);
  const idOf = (name: string): string => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`there is no onboarding "${name}"`);
    return id;
  };
  for (const [index, { onboarding, active, header, dltSenderId }] of senders.entries()) {
    await at([...path, 'senders', index], () => {
      const details = { header, onboardingId: idOf(onboarding), dltSenderId, isActive: active };
      return catalog.putSender(organizationId, details, transaction);
    });
  }
  for (const [index, { onboarding, active, name, body, dltTemplateId }] of templates.entries()) {
    await at([...path, 'templates', index], () => {
      const details = { name, onboardingId: idOf(onboarding), body, dltTemplateId, isActive: active };
      return catalog.putTemplate(organizationId, details, transaction);
    });
  }
}

async function onboardingIds(organizationId: string, transaction: EntityManager): Promise<Map<string, string>> {
  const rows: { id: string; name: string }[] = await transaction.query(
    'SELECT id, name FROM sms.onboardings WHERE organization_id = $1',
    [organizationId],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The ledger speaks SQL on a plain connection: that of the transaction. */
async function connectionOf({ queryRunner }: EntityManager): Promise<ClientBase> {
  if (!queryRunner) throw new Error('Credits are granted within a transaction.');
  return (await queryRunner.connect()) as ClientBase;
}
