export { fieldsFromJson } from './messages/read-fields';
export { toSendRequest } from './messages/send-request.dto';
export { smsEntities } from './migration-set';
export { SEND_QUEUE } from './sending/send-queue';
export { smsApi } from './sms-api.service';
// For the tools that measure this service by what it is made of.
export { CatalogService, Sender, Template } from '@heliograph/sms-catalog';
export { composeMessage, parseTemplate } from '@heliograph/sms-text';
