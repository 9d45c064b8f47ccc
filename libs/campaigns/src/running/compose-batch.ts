import type { Contact } from '@heliograph/contacts';
import type { ComposedMessage, Recipient } from '../campaign';
import type { CampaignChannel } from '../campaign-channel';
import { variablesOf } from './personalization';

/** Composes the message to each contact, in the given order; null for a deleted contact. */
export async function composeBatch(
  channel: CampaignChannel,
  call: unknown,
  contacts: readonly (Contact | null)[],
): Promise<ComposedMessage<unknown>[]> {
  const recipients: Recipient[] = [];
  const results = contacts.map((contact): ComposedMessage<unknown> | null => {
    const address = contact && (channel.name === 'email' ? contact.email : contact.phone);
    if (contact === null || address === null) return { kind: 'skipped', reason: 'no_address' };
    if (contact.consent[channel.name] === 'opted_out') return { kind: 'skipped', reason: 'opted_out' };
    recipients.push({ contact, variables: variablesOf(contact) });
    return null;
  });
  const composed = await channel.compose(call, recipients);
  let next = 0;
  return results.map((result) => {
    if (result) return result;
    const message = composed[next++];
    if (!message) throw new Error('a message is missing');
    return message;
  });
}
