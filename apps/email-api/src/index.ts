export { emailApi } from './email-api.service';
export { DUE_QUEUE } from './sending/due-queue';
