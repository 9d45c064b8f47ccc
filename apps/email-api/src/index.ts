export { emailApi } from './email-api.service';
export { emailEntities } from './migration-set';
export { DUE_QUEUE } from './sending/due-queue';
