import type { EntityManager } from 'typeorm';
import type { CatalogService } from './catalog.service';

/** What a test organization can send with at once: a sender and a template for a country with DLT, and for one without. */
const TEST_CATALOG = [
  {
    country: 'IN',
    name: 'Test India',
    header: 'TESTIN',
    dltEntityId: '1101000000000000001',
    dltSenderId: '1105000000000000001',
    dltTemplateId: '1107000000000000001',
  },
  {
    country: 'US',
    name: 'Test United States',
    header: 'TESTUS',
    dltEntityId: null,
    dltSenderId: null,
    dltTemplateId: null,
  },
];

/** Writes the senders and templates of a new test organization. */
export async function putTestCatalog(
  catalog: CatalogService,
  transaction: EntityManager,
  organizationId: string,
): Promise<void> {
  for (const { country, name, header, dltEntityId, dltSenderId, dltTemplateId } of TEST_CATALOG) {
    const onboarding = { name, country, status: 'approved' as const, dltEntityId };
    const { id: onboardingId } = await catalog.putOnboarding(transaction, organizationId, onboarding);
    await catalog.putSender(transaction, organizationId, { header, onboardingId, dltSenderId, isActive: true });
    await catalog.putTemplate(transaction, organizationId, {
      name: 'otp',
      onboardingId,
      body: 'Your code is {{code}}',
      dltTemplateId,
      isActive: true,
    });
  }
}
