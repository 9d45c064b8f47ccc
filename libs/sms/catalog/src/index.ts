export { Catalog, type RegisteredSender, type RegisteredTemplate } from './catalog';
export {
  CatalogService,
  type NewOnboarding,
  type OnboardingChanges,
  type OnboardingDetails,
  type OnboardingFilter,
  type RegistrationFilter,
  type SenderChanges,
  type SenderDetails,
  type TemplateChanges,
  type TemplateDetails,
} from './catalog.service';
export { smsCatalogEntities, smsCatalogMigrations } from './migration-set';
export { Onboarding, ONBOARDING_STATUSES, type OnboardingStatus } from './onboarding.entity';
export { Rate } from './rate.entity';
export { Sender } from './sender.entity';
export { SmsCatalogModule } from './sms-catalog.module';
export { Template } from './template.entity';
export { SMS_TEMPLATES } from './limited-kinds';
export { MESSAGE_COLUMNS, v1SmsRecord, type SmsMessageRow } from './message-record';
