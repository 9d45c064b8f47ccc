export { AUDITED_EMAIL_TEMPLATE } from './templates/audited-template';
export {
  EmailCatalog,
  type EmailSigningKey,
  type RegisteredEmailSender,
  type RegisteredEmailTemplate,
  UnreadableKeyError,
} from './catalog';
export { EmailCatalogService } from './catalog.service';
export { generateDkimKey, type DkimKey } from './domains/dkim-key';
export type { DnsRecordPurpose, DnsRecordStatus } from './domains/dns-finding';
export type { DnsRecord } from './domains/dns-records';
export { DomainChecks } from './domains/domain-checks';
export { DomainKeys } from './domains/domain-keys';
export { DOMAIN_STATUSES, EmailDomain, isSending, type DomainStatus } from './domains/domain.entity';
export { emailDomainConfig } from './domains/domains.config';
export { DKIM_PRIVATE_KEY } from './domains/domain-secrets';
export { EmailCatalogModule } from './email-catalog.module';
export type { EmailTemplateDetails, EmailTemplateSummary } from './entry-details';
export { emailCatalogEntities, emailCatalogMigrations } from './migration-set';
export { EmailSender } from './senders/sender.entity';
export { EmailSuppression, SUPPRESSION_REASONS, type SuppressionReason } from './suppressions/suppression.entity';
export { Suppressions } from './suppressions/suppressions';
export { putTestCatalog } from './test-catalog';
export { EmailTemplate } from './templates/template.entity';
export { TrackingSettings, type TrackingSubject } from './tracking/tracking-settings';
export { EMAIL_TEMPLATES } from './limited-kinds';
export {
  EMAIL_COLUMNS,
  EMAIL_SELECT,
  EMAIL_STATUS,
  EMAIL_SUMS,
  EMAIL_TABLES,
  V1_EMAIL_STATUSES,
  type V1EmailStatus,
} from './message-record';
export {
  EVERY_SCOPE,
  isSuppressionScope,
  isUnsubscribeScope,
  MARKETING,
  SUPPRESSION_SCOPE_RULE,
  TRANSACTIONAL,
  UNSUBSCRIBE_SCOPE_RULE,
  unsubscribeScopeOf,
} from './suppressions/unsubscribe-scope';
