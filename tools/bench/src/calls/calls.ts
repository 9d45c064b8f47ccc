import { botMessageCalls, botStartCalls } from './bot-calls';
import type { CallOptions, Calls } from './call-options';
import { chatappCalls, updateCalls } from './chatapp-calls';
import { emailCalls } from './email-calls';
import { loginCalls } from './login-calls';
import { accountNoiseCalls, emailBulkCalls, smsBulkCalls, smsNoiseCalls, wrongLoginCalls } from './noise-calls';
import { paymentCalls } from './payment-calls';
import { smsCalls } from './sms-calls';

const KINDS = {
  sms: smsCalls,
  emails: emailCalls,
  chats: chatappCalls,
  updates: updateCalls,
  payments: paymentCalls,
  logins: loginCalls,
  botMessages: botMessageCalls,
  botStarts: botStartCalls,
  emailBulks: emailBulkCalls,
  smsBulks: smsBulkCalls,
  smsNoise: smsNoiseCalls,
  accountNoise: accountNoiseCalls,
  wrongLogins: wrongLoginCalls,
} as const satisfies Record<string, (options: CallOptions) => Calls>;

export type CallKind = keyof typeof KINDS;

export function callsOf(kind: CallKind, options: CallOptions): Calls {
  return KINDS[kind](options);
}
