import type { EntityManager } from 'typeorm';
import type { Writers } from './writers';
import type { FilePath } from '../file-positions';
import type { ProvisionedSms } from '../schema/sms';

export async function applySms(
  organizationId: string,
  { onboardings, senders, templates }: ProvisionedSms,
  path: FilePath,
  { catalog, at }: Writers,
  transaction: EntityManager,
): Promise<void> {
  for (const [index, onboarding] of onboardings.entries()) {
    await at([...path, 'onboardings', index], () => catalog.putOnboarding(transaction, organizationId, onboarding));
  }
  const ids = await onboardingIds(organizationId, transaction);
  const idOf = (name: string): string => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`onboarding "${name}" does not exist`);
    return id;
  };
  for (const [index, { onboarding, active, header, dltSenderId }] of senders.entries()) {
    await at([...path, 'senders', index], () => {
      const details = { header, onboardingId: idOf(onboarding), dltSenderId, isActive: active };
      return catalog.putSender(transaction, organizationId, details);
    });
  }
  for (const [index, { onboarding, active, name, body, dltTemplateId }] of templates.entries()) {
    await at([...path, 'templates', index], () => {
      const details = { name, onboardingId: idOf(onboarding), body, dltTemplateId, isActive: active };
      return catalog.putTemplate(transaction, organizationId, details);
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
