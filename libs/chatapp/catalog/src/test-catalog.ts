import { newId } from '@heliograph/database';
import type { EntityManager } from 'typeorm';
import { ChatappAccount } from './accounts/account.entity';
import { ChatappTemplate } from './template.entity';

/** The display number of test accounts, of a range that is reserved for fiction. */
const TEST_NUMBER = '+12025550199';

/** The id of the phone number of a test organization, which the provider does not know. */
export function testPhoneNumberIdOf(organizationId: string): string {
  return `test-${organizationId}`;
}

/** Writes the account and the template of a new test organization. */
export async function putTestCatalog(transaction: EntityManager, organizationId: string): Promise<void> {
  const phoneNumberId = testPhoneNumberIdOf(organizationId);
  const accounts = transaction.getRepository(ChatappAccount);
  if (await accounts.existsBy({ phoneNumberId })) return;
  const accountId = newId();
  await accounts.insert({
    id: accountId,
    ownerType: 'organization',
    organizationId,
    phoneNumberId,
    businessAccountId: phoneNumberId,
    displayNumber: TEST_NUMBER,
  });
  await transaction.getRepository(ChatappTemplate).insert({
    id: newId(),
    accountId,
    organizationId,
    name: 'hello',
    language: 'en_US',
    category: 'utility',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Hello, this is a test message.' }],
    messageSendTtlSeconds: null,
    upstreamId: `test-${newId()}`,
  });
}
