export { CatalogService } from './catalog/catalog.service';
export { ONBOARDING_STATUSES } from './catalog/onboarding.entity';
export { smsEntities } from './migration-set';
export { SEND_QUEUE } from './sending/send-queue';
export { smsApi } from './sms-api.service';
