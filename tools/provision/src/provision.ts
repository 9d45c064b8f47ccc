import { ApiKey, ApiKeysService, ApiKeyUse, authEntities, generateKey } from '@heliograph/auth';
import { botCatalogEntities, BotCatalogService, BotContentService } from '@heliograph/bot-catalog';
import {
  chatappCatalogEntities,
  ChatappCatalogService,
  ChatappConsent,
  ChatappConsents,
} from '@heliograph/chatapp-catalog';
import { contactsEntities, ContactsService } from '@heliograph/contacts';
import { CreditPackage } from '@heliograph/billing';
import { createDataSource, databaseConfigSchema } from '@heliograph/database';
import { emailCatalogEntities, EmailCatalogService, emailDomainConfig, Suppressions } from '@heliograph/email-catalog';
import { secretsConfigSchema } from '@heliograph/secrets';
import { loadDeploymentSecrets } from '@heliograph/service-kit';
import { CatalogService, smsCatalogEntities } from '@heliograph/sms-catalog';
import { tenancyEntities, TenancyService } from '@heliograph/tenancy';
import { newToken } from '@heliograph/secrets';
import { Member, MembersService, User, UsersService, usersEntities } from '@heliograph/users';
import type { DataSource, EntityManager } from 'typeorm';
import type { z } from 'zod';
import { applyPrices } from './apply/apply-chatapp';
import { applyCreditPackages } from './apply/apply-credit-packages';
import { applyKey, applyOrganization } from './apply/apply-organization';
import type { Writers } from './apply/writers';
import { danglingReferences, type KnownNames } from './check-references';
import { showPath, type FilePath, type FilePositions } from './file-positions';
import { ProvisioningError } from './provisioning-error';
import { readProvisioningFile, refuse } from './read-provisioning-file';
import { emptyReport, type ProvisioningReport } from './report';
import type { ProvisioningFile } from './schema/provisioning-file';

// An arbitrary constant that all versions must share.
const PROVISIONING_LOCK = 7_236_100_419;
const UNIQUE_VIOLATION = '23505';
const UNDEFINED_TABLE = '42P01';

const secretKeysSchema = secretsConfigSchema.extend(emailDomainConfig.pick({ EMAIL_SECRETS_KEYS: true }).shape);

/** The keys that encrypt the secrets in the database, the same ones as those of the services. */
export type SecretKeys = z.output<typeof secretKeysSchema>;

/** Throws a ConfigError for the published keys, unless the deployment is the local stack. */
export function loadSecretKeys(deployment: { isLocalStack: boolean }): SecretKeys {
  return loadDeploymentSecrets(secretKeysSchema, process.env, deployment);
}

/**
 * Applies a provisioning file: entries that exist by their natural key are updated, the others created, none deleted. An
 * organization is written completely or not at all. Throws a ProvisioningError with file, line and column. A report that
 * the caller passes contains what was committed before a failure.
 */
export async function provision(
  databaseUrl: string,
  yamlText: string,
  fileName: string,
  keyPrefix: string,
  keys: SecretKeys,
  report: ProvisioningReport = emptyReport(),
): Promise<ProvisioningReport> {
  const { file, positions } = readProvisioningFile(yamlText, fileName);
  const settings = databaseConfigSchema.parse({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: 2,
    // Another run may hold the lock while it applies a large file.
    DATABASE_STATEMENT_TIMEOUT_MS: 120_000,
    DATABASE_LOCK_TIMEOUT_MS: 120_000,
  });
  const entities = [
    ...tenancyEntities,
    ...usersEntities,
    ...authEntities,
    ...smsCatalogEntities,
    ...emailCatalogEntities,
    ...chatappCatalogEntities,
    ...botCatalogEntities,
    ...contactsEntities,
    CreditPackage,
  ];
  const dataSource = createDataSource(settings, 'provision', entities);
  await dataSource.initialize();
  try {
    refuse(danglingReferences(file, await knownNames(dataSource, file)), positions);
    await applyFile(file, dataSource, writersFor(dataSource, positions, keyPrefix, keys), report);
  } catch (error) {
    throw codeOf(error) === UNDEFINED_TABLE
      ? new ProvisioningError(['The database has not been migrated: run the migrations of the services first.'])
      : error;
  } finally {
    await dataSource.destroy();
  }
  return report;
}

async function applyFile(
  { organizations, unboundApiKeys, platform }: ProvisioningFile,
  dataSource: DataSource,
  writers: Writers,
  report: ProvisioningReport,
): Promise<void> {
  for (const [index, organization] of organizations.entries()) {
    const { granted, generated, passwords, notes } = await locked(dataSource, (transaction) =>
      applyOrganization(organization, ['organizations', index], writers, transaction),
    );
    const { slug, users, workspaces, apiKeys, sms, email, chatapp, bots, groups, contacts } = organization;
    const smsEntries = sms.onboardings.length + sms.senders.length + sms.templates.length;
    const emailEntries =
      email.domains.length + email.senders.length + email.templates.length + email.suppressions.length;
    report.applied.push({
      organization: slug,
      users: users.length,
      workspaces: workspaces.length,
      apiKeys: apiKeys.length,
      smsEntries,
      emailEntries,
      consents: chatapp.consents.length,
      bots: bots.length,
      groups: groups.length,
      contacts: contacts.length,
    });
    report.granted.push(...granted);
    report.generated.push(...generated);
    report.passwords.push(...passwords);
    report.notes.push(...notes);
  }
  const made = await locked(dataSource, async (transaction) => {
    const keys = [];
    for (const [index, entry] of unboundApiKeys.entries()) {
      const key = await writers.at(['unboundApiKeys', index], () =>
        applyKey(null, { ...entry, workspace: null }, writers, transaction),
      );
      if (key !== null) keys.push({ organization: null, name: entry.name, key });
    }
    for (const { country, rate } of platform.sms.rates) await writers.catalog.putRate(transaction, country, rate);
    await applyPrices(platform.chatapp.prices, ['platform', 'chatapp', 'prices'], writers, transaction);
    await applyCreditPackages(platform.creditPackages, transaction);
    return keys;
  });
  report.generated.push(...made);
  report.unboundApiKeys = unboundApiKeys.length;
  report.rates = platform.sms.rates.length;
  report.prices = platform.chatapp.prices.length;
  report.packages = platform.creditPackages.length;
}

/** Serializes transactions over all processes: two runs of a file must not both create missing entries. */
function locked<T>(dataSource: DataSource, write: (transaction: EntityManager) => Promise<T>): Promise<T> {
  return dataSource.transaction(async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock($1)', [PROVISIONING_LOCK]);
    return write(transaction);
  });
}

function writersFor(
  dataSource: DataSource,
  positions: FilePositions,
  keyPrefix: string,
  { SECRETS_KEYS, EMAIL_SECRETS_KEYS }: SecretKeys,
): Writers {
  return {
    tenancy: new TenancyService(),
    users: new UsersService(dataSource.getRepository(User), SECRETS_KEYS),
    members: new MembersService(dataSource.getRepository(Member)),
    keys: new ApiKeysService(dataSource.getRepository(ApiKey), dataSource.getRepository(ApiKeyUse)),
    catalog: new CatalogService(),
    emailCatalog: new EmailCatalogService(EMAIL_SECRETS_KEYS),
    suppressions: new Suppressions(),
    chatappCatalog: new ChatappCatalogService(),
    consents: new ChatappConsents(dataSource.getRepository(ChatappConsent)),
    botCatalog: new BotCatalogService(),
    botContent: new BotContentService(),
    contacts: new ContactsService(),
    generateKey: () => generateKey(keyPrefix),
    generatePassword: newToken,
    at: async (path, write) => {
      try {
        return await write();
      } catch (error) {
        throw new ProvisioningError([`${positions.of(path)}: ${showPath(path)}: ${reasonOf(error, path)}`]);
      }
    },
  };
}

function reasonOf(error: unknown, path: FilePath): string {
  if (codeOf(error) === UNIQUE_VIOLATION && (path.includes('apiKeys') || path.includes('unboundApiKeys'))) {
    return 'this key is already used by another API key; every API key must be unique';
  }
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** The names that a file may reference without defining them. */
async function knownNames(dataSource: DataSource, { organizations }: ProvisioningFile): Promise<KnownNames> {
  const rows: { slug: string; workspaces: string[]; onboardings: string[]; groups: string[] }[] =
    await dataSource.query(
      `SELECT o.slug,
            ARRAY(SELECT w.slug FROM tenancy.workspaces AS w WHERE w.organization_id = o.id) AS workspaces,
            ARRAY(SELECT s.name FROM sms.onboardings AS s WHERE s.organization_id = o.id) AS onboardings,
            ARRAY(SELECT g.name FROM contacts.groups AS g WHERE g.organization_id = o.id) AS groups
     FROM tenancy.organizations AS o WHERE o.slug = ANY($1)`,
      [organizations.map(({ slug }) => slug)],
    );
  return new Map(
    rows.map(({ slug, workspaces, onboardings, groups }) => [
      slug,
      { workspaces: new Set(workspaces), onboardings: new Set(onboardings), groups: new Set(groups) },
    ]),
  );
}
