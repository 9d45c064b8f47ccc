import { benchKey, USER_PASSWORD } from '@heliograph/bench-data';
import type { CallOptions, Calls } from './call-options';
import { EMAIL_CONTENT, EMAIL_SENDER } from './email-calls';
import { bearer, getRequest, postRequest } from './http-request';

const BULK_RECIPIENTS = 1_000;
const AUTHORIZATION = bearer(benchKey(0));

const post = (path: string, body: object): Buffer => postRequest(path, [AUTHORIZATION], JSON.stringify(body));
const get = (path: string): Buffer => getRequest(path, [AUTHORIZATION]);

/** Bulk sends of emails to one recipient each. */
export function emailBulkCalls({ path }: CallOptions): Calls {
  return (number) =>
    post(path, { from: EMAIL_SENDER, ...EMAIL_CONTENT, recipients: [{ to: `bulk-${number}@elsewhere.example` }] });
}

/** Bulk sends of SMS to 1,000 recipients each. */
export function smsBulkCalls({ path }: CallOptions): Calls {
  return (number) => post(path, smsBulk(number * BULK_RECIPIENTS, BULK_RECIPIENTS));
}

/** Bulk sends of SMS to one recipient each, quotes and lists in turn. */
export function smsNoiseCalls(): Calls {
  const calls = [
    (number: number) => post('/api/v1/sms/bulk', smsBulk(number, 1)),
    (number: number) => post('/api/v1/sms/quote', { ...smsContent(number), to: smsNumber(number) }),
    () => get('/api/v1/sms/messages?limit=100'),
  ];
  return inTurn(calls);
}

/** Credit transfers, new contacts, hourly analytics, reads of the event feed, and reports in turn. */
export function accountNoiseCalls({ workspaceIds }: CallOptions): Calls {
  const [from, to] = workspaceIds ?? [];
  const calls = [
    () =>
      post('/api/v1/credits/transfer', {
        from_workspace_id: from,
        to_workspace_id: to,
        credit_type: 'sms',
        amount: 1,
      }),
    (number: number) => post('/api/v1/contacts', { email: `noise-${number}@elsewhere.example`, first_name: 'Noise' }),
    () => get('/api/v1/analytics/overview?interval=hour'),
    () => get('/api/v1/events?limit=100'),
    () => post('/api/v1/reports', { type: 'contacts', format: 'csv' }),
  ];
  return inTurn(calls);
}

/** Logins with wrong passwords, every tenth call a registration, each from its own address. */
export function wrongLoginCalls(): Calls {
  return (number) => {
    const headers = [`X-Forwarded-For: ${clientAddress(number)}`];
    if (number % 10 === 9) {
      const user = { name: 'Noise', email: `new-${number}@elsewhere.example`, organization: `Noise ${number}` };
      return postRequest('/api/v1/auth/register', headers, JSON.stringify({ ...user, password: USER_PASSWORD }));
    }
    const login = { email: `nobody-${number}@elsewhere.example`, password: 'a wrong password' };
    return postRequest('/api/auth/login', headers, JSON.stringify(login));
  };
}

/** The nth address of a client, in 10.0.0.0/8. */
export function clientAddress(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** The body of a bulk send of SMS to distinct recipients. */
export function smsBulk(first: number, count: number): object {
  return {
    sender_id: 'BENCHS',
    template_id: 'otp',
    recipients: Array.from({ length: count }, (_, index) => ({
      to: smsNumber(first + index),
      variables: { code: String(index) },
    })),
  };
}

/** The body of a send of one SMS, without its recipient. */
export function smsContent(number: number): object {
  return { sender_id: 'BENCHS', template_id: 'otp', variables: { code: String(number) } };
}

export function smsNumber(number: number): string {
  return `+9196${String(number % 100_000_000).padStart(8, '0')}`;
}

function inTurn(calls: readonly Calls[]): Calls {
  return (number) => {
    const call = calls[number % calls.length];
    if (!call) throw new Error('There are no calls.');
    return call(number);
  };
}
