import { ownerEmails } from '@heliograph/users';
import type { ClientBase } from 'pg';

/** Who gets mail about an invoice: its payer, else the owners of the organization. */
export async function mailRecipients(
  client: ClientBase,
  organizationId: string,
  customerEmail: string | null,
): Promise<string[]> {
  return customerEmail === null ? ownerEmails(client, organizationId) : [customerEmail];
}
