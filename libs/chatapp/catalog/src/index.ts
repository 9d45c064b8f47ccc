export { chatappAccountConfigSchema } from './account.config';
export { ChatappAccount } from './account.entity';
export { ChatappAccounts } from './accounts';
export { ChatappAllowance } from './allowance.entity';
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
export { CATEGORIES, isTemplateCategory, TEMPLATE_CATEGORIES, type Category, type TemplateCategory } from './category';
export { ChatappCatalogModule } from './chatapp-catalog.module';
export { ChatappConsent, CONSENT_STATUSES, type ConsentStatus } from './consent.entity';
export { ConsentLimit } from './consent-limit';
export { ChatappConsents } from './consents';
export { chatappCatalogEntities, chatappCatalogMigrations } from './migration-set';
export { ChatappPrice } from './price.entity';
export { ChatappSending, type SwitchState } from './sending';
export { ChatappTemplate, type TemplateComponent } from './template.entity';
