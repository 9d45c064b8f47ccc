export { chatappAccountConfigSchema } from './accounts/account.config';
export { ChatappAccount } from './accounts/account.entity';
export { ChatappAccounts } from './accounts/accounts';
export { ChatappAllowance } from './prices/allowance.entity';
export { ChatappCatalog } from './catalog';
export {
  CURRENCY_RULE,
  isCurrency,
  isPriceCountry,
  MAX_COST,
  MAX_MONTHLY_LIMIT,
  PRICE_COUNTRY_RULE,
} from './catalog-rules';
export { ChatappCatalogService } from './catalog.service';
export {
  CATEGORIES,
  isTemplateCategory,
  TEMPLATE_CATEGORIES,
  type Category,
  type TemplateCategory,
} from './prices/category';
export { ChatappCatalogModule } from './chatapp-catalog.module';
export { ChatappConsent, CONSENT_STATUSES, type ConsentStatus } from './consents/consent.entity';
export { ConsentLimit } from './consents/consent-limit';
export { ChatappConsents } from './consents/consents';
export { chatappCatalogEntities, chatappCatalogMigrations } from './migration-set';
export { ChatappPrice } from './prices/price.entity';
export { ChatappSending, type SwitchState } from './sending';
export { putTestCatalog, testPhoneNumberIdOf } from './test-catalog';
export { ChatappTemplate, type TemplateComponent } from './template.entity';
