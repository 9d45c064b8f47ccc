import type { ApiKeysService } from '@heliograph/auth';
import type { BotCatalogService, BotContentService } from '@heliograph/bot-catalog';
import type { ChatappCatalogService, ChatappConsents } from '@heliograph/chatapp-catalog';
import type { ContactsService } from '@heliograph/contacts';
import type { EmailCatalogService, Suppressions } from '@heliograph/email-catalog';
import type { CatalogService } from '@heliograph/sms-catalog';
import type { TenancyService } from '@heliograph/tenancy';
import type { MembersService, UsersService } from '@heliograph/users';
import type { FilePath } from '../file-positions';

/** The services that write the data of a provisioning file. */
export interface Writers {
  tenancy: TenancyService;
  users: UsersService;
  members: MembersService;
  keys: ApiKeysService;
  catalog: CatalogService;
  emailCatalog: EmailCatalogService;
  suppressions: Suppressions;
  chatappCatalog: ChatappCatalogService;
  consents: ChatappConsents;
  botCatalog: BotCatalogService;
  botContent: BotContentService;
  contacts: ContactsService;
  generateKey: () => string;
  generatePassword: () => string;
  /** Runs one write; its error is reported at this position of the file. */
  at<T>(path: FilePath, write: () => Promise<T>): Promise<T>;
}
