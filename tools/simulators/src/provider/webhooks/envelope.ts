import type { ProviderAccount } from '../account';
import type { Update } from './updates';

type Value = Readonly<Record<string, unknown>>;

/** The body of a webhook, with messages and statuses in separate changes. */
export function envelopeOf(account: ProviderAccount, updates: readonly Update[]): Value {
  const messages = updates.filter((update) => update.kind === 'message');
  const statuses = updates.filter((update) => update.kind === 'status');
  const contacts = new Map(messages.map(({ from, contact }) => [from, contact]));
  const values: Value[] = [];
  if (messages.length > 0) {
    values.push({ contacts: [...contacts.values()], messages: messages.map(({ entry }) => entry) });
  }
  if (statuses.length > 0) values.push({ statuses: statuses.map(({ entry }) => entry) });
  const { product, businessAccountId, displayPhoneNumber, phoneNumberId } = account;
  const common = {
    messaging_product: product,
    metadata: { display_phone_number: displayPhoneNumber, phone_number_id: phoneNumberId },
  };
  const changes = values.map((value) => ({ value: { ...common, ...value }, field: 'messages' }));
  return { object: `${product}_business_account`, entry: [{ id: businessAccountId, changes }] };
}
