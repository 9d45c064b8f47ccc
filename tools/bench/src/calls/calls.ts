import { botMessageCalls, botStartCalls } from './bot-calls';
import type { CallOptions, Calls } from './call-options';
import { chatappCalls, updateCalls } from './chatapp-calls';
import { emailCalls } from './email-calls';
import { loginCalls } from './login-calls';
import { paymentCalls } from './payment-calls';
import { smsCalls } from './sms-calls';

export type CallKind = 'sms' | 'emails' | 'chats' | 'updates' | 'payments' | 'logins' | 'botMessages' | 'botStarts';

const KINDS: Record<CallKind, (options: CallOptions) => Calls> = {
  sms: smsCalls,
  emails: emailCalls,
  chats: chatappCalls,
  updates: updateCalls,
  payments: paymentCalls,
  logins: loginCalls,
  botMessages: botMessageCalls,
  botStarts: botStartCalls,
};

export function callsOf(kind: CallKind, options: CallOptions): Calls {
  return KINDS[kind](options);
}
