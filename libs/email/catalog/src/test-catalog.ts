import type { EntityManager } from 'typeorm';
import type { DkimKey } from './domains/dkim-key';
import { EmailSuppression } from './suppressions/suppression.entity';
import type { EmailCatalogService } from './catalog.service';

/** The top-level domain `test` is reserved (RFC 2606), so no mail to or from it can leave. */
const TEST_DOMAIN = 'mail.test';

/** An address that gets no mail from the start. */
const SUPPRESSED = 'suppressed@simulator.test';

/** Writes the domain, the sender, the template and a suppression of a new test organization. */
export async function putTestCatalog(
  catalog: EmailCatalogService,
  transaction: EntityManager,
  organizationId: string,
  key: DkimKey,
): Promise<void> {
  await catalog.createDomain(transaction, organizationId, { name: TEST_DOMAIN, key });
  await catalog.putDomain(transaction, organizationId, { name: TEST_DOMAIN, status: 'verified', expiresAt: null });
  await catalog.putSender(transaction, organizationId, { address: `hello@${TEST_DOMAIN}`, name: null, isMain: true });
  await catalog.putTemplate(transaction, organizationId, {
    slug: 'welcome',
    name: 'Welcome',
    subject: 'Welcome, {{ name }}',
    html: '<p>Hello {{ name }}, thank you for joining.</p>',
    text: 'Hello {{ name }}, thank you for joining.',
    unsubscribeScope: null,
  });
  const suppression = { organizationId, address: SUPPRESSED, addressKey: SUPPRESSED, reason: 'manual' as const };
  await transaction.getRepository(EmailSuppression).upsert(suppression, ['organizationId', 'addressKey', 'scope']);
}
