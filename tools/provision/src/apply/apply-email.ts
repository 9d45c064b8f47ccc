import type { EntityManager } from 'typeorm';
import type { Writers } from './writers';
import type { FilePath } from '../file-positions';
import type { ProvisionedEmail } from '../schema/email';

export async function applyEmail(
  organizationId: string,
  { domains, senders, templates, suppressions }: ProvisionedEmail,
  path: FilePath,
  { emailCatalog, suppressions: suppressed, at }: Writers,
  transaction: EntityManager,
): Promise<void> {
  for (const [index, domain] of domains.entries()) {
    await at([...path, 'domains', index], () => emailCatalog.putDomain(transaction, organizationId, domain));
  }
  for (const [index, { address, name, main }] of senders.entries()) {
    const sender = { address, name, isMain: main };
    await at([...path, 'senders', index], () => emailCatalog.putSender(transaction, organizationId, sender));
  }
  for (const [index, template] of templates.entries()) {
    await at([...path, 'templates', index], () => emailCatalog.putTemplate(transaction, organizationId, template));
  }
  for (const [index, suppression] of suppressions.entries()) {
    await at([...path, 'suppressions', index], () => suppressed.add(transaction, organizationId, suppression));
  }
}
