import { putTestCatalog as putChatappCatalog } from '@heliograph/chatapp-catalog';
import { CREDIT_TYPES } from '@heliograph/contracts';
import { post } from '@heliograph/credits';
import { clientOf, testIdOf } from '@heliograph/database';
import { putTestCatalog as putEmailCatalog, type DkimKey, type EmailCatalogService } from '@heliograph/email-catalog';
import { putTestCatalog as putSmsCatalog, type CatalogService } from '@heliograph/sms-catalog';
import type { TenancyService, Workspace } from '@heliograph/tenancy';
import type { EntityManager } from 'typeorm';

/** Credits of each type that a new test workspace has. */
export const TEST_CREDITS = 1_000_000;

/** The services that write a test organization. */
export interface TestOrganizationWriters {
  /** Returns the DKIM key of the email domain. It is slow to generate, and rows are locked meanwhile. */
  newKey: () => Promise<DkimKey>;
  tenancy: TenancyService;
  sms: CatalogService;
  email: EmailCatalogService;
}

/**
 * Creates what is missing of the test twin of an organization: its workspaces with credits, and all that a first send needs.
 * Returns its id, and whether the twin itself was missing. Throws NOT_FOUND.
 */
export async function createTestOrganization(
  { newKey, tenancy, sms, email }: TestOrganizationWriters,
  transaction: EntityManager,
  liveId: string,
  correlationId: string | null,
): Promise<{ id: string; isNew: boolean }> {
  const { isNew, workspaces } = await tenancy.createTestOrganization(transaction, liveId, correlationId);
  for (const workspace of workspaces) await grant(transaction, workspace, correlationId);
  const id = testIdOf(liveId);
  if (isNew) {
    await putSmsCatalog(sms, transaction, id);
    await putEmailCatalog(email, transaction, id, await newKey());
    await putChatappCatalog(transaction, id);
  }
  return { id, isNew };
}

async function grant(
  transaction: EntityManager,
  { organizationId, id: workspaceId }: Workspace,
  correlationId: string | null,
): Promise<void> {
  const postings = CREDIT_TYPES.map((creditType) => ({
    organizationId,
    workspaceId,
    creditType,
    kind: 'topup' as const,
    amount: TEST_CREDITS,
    reference: `test-mode:${workspaceId}:${creditType}`,
    correlationId,
  }));
  await post(await clientOf(transaction), postings);
}
