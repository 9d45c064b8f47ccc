import { botMessageCalls, botStartCalls } from './bot-calls';
import { chatappCalls, updateCalls } from './chatapp-calls';
import { emailCalls } from './email-calls';
import { loginCalls } from './login-calls';
import { paymentCalls } from './payment-calls';
import { smsCalls } from './sms-calls';

export type CallKind = 'sms' | 'emails' | 'chats' | 'updates' | 'payments' | 'logins' | 'botMessages' | 'botStarts';

/** How the calls of a run differ from each other. */
export interface CallOptions {
  path: string;
  /** The number of API keys, customers or users that are used in turn. */
  population: number;
}

/** Returns the bytes of the nth call. Prepares as much as possible: the generator shares the processors with the server. */
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
