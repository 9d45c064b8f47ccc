export { normalizeSendJson } from './messages/normalize-send';
export { SendRequest } from './messages/send-request.dto';
export { SEND_QUEUE } from './sending/send-queue';
export { smsApi } from './sms-api.service';
// Used by the benchmark to measure single components.
export { Sender, Template } from '@heliograph/sms-catalog';
export { composeMessage, parseTemplate } from '@heliograph/sms-text';
