import { botMessageCalls, botStartCalls } from './bot-calls';
import { chatappCalls, updateCalls } from './chatapp-calls';
import { emailCalls } from './email-calls';
import { loginCalls } from './login-calls';
import { paymentCalls } from './payment-calls';
import { smsCalls } from './sms-calls';

export type CallKind = 'sms' | 'emails' | 'chats' | 'updates' | 'payments' | 'logins' | 'botMessages' | 'botStarts';

/** What makes the calls of a run differ from each other. */
export interface CallOptions {
  path: string;
  /** Keys, customers or users 0 to this less one take turns. */
  population: number;
}

/** The bytes of the nth call. Whatever can be made beforehand is: the generator shares two cores with what it measures. */
export type Calls = (number: number) => Buffer;

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
