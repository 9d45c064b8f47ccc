import { ownerEmails } from '@heliograph/users';
import type { ClientBase } from 'pg';

/** Recipients of emails about an invoice: the payer, or the owners of the organization if the payer has no address. */
export async function mailRecipients(
  client: ClientBase,
  organizationId: string,
  customerEmail: string | null,
): Promise<string[]> {
  return customerEmail === null ? ownerEmails(client, organizationId) : [customerEmail];
}
