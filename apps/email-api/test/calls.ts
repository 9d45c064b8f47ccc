import { httpCall, type HttpResponse, type HttpCallOptions } from '@heliograph/testing';
import type { EmailFixture } from './email-fixture';

export type Answer = HttpResponse;
export type CallOptions = HttpCallOptions;

/** Sends one HTTP request without changing it. */
export function call<Body = Record<string, unknown>>(
  email: EmailFixture,
  path: string,
  options: CallOptions = {},
): Promise<HttpResponse<Body>> {
  return httpCall(`${email.url}${path}`, options);
}

/** Calls `POST /email/send`; a body that is neither text nor bytes is sent as JSON. */
export function send<Body = Record<string, unknown>>(
  email: EmailFixture,
  key: string | null,
  body: unknown,
  options: CallOptions & { path?: string } = {},
): Promise<HttpResponse<Body>> {
  const { path = '/email/send', ...rest } = options;
  return call(email, path, { method: 'POST', key, json: body, ...rest });
}

export interface SendAnswer {
  ok: boolean;
  id: string;
  status: string;
  from: string;
  recipientCount: number;
  sentCount: number;
  failedCount: number;
  skippedCount: number;
  scheduledAt: string | null;
  messageId: string;
  results: { to: string; ok: boolean; messageId: string | null; error: string | null; skipped: boolean }[];
}

/** Calls `send`; throws unless the status is 200. */
export async function sendOk(email: EmailFixture, key: string, body: unknown): Promise<SendAnswer> {
  const answer = await send<SendAnswer>(email, key, body);
  if (answer.status !== 200) throw new Error(`the send returned ${answer.status}: ${answer.text}`);
  return answer.body;
}

export interface Report {
  id: string;
  messageId: string;
  status: string;
  from: string;
  to: string;
  subject: string;
  createdAt: string;
  events: { type: string; recipient: string; url: string | null; reason: string | null; occurredAt: string }[];
}

/** Calls `GET /email/status`; throws unless the status is 200. */
export async function reportOf(email: EmailFixture, key: string, id: string): Promise<Report> {
  const answer = await call<Report>(email, `/email/status?id=${id}`, { key });
  if (answer.status !== 200) throw new Error(`the report returned ${answer.status}: ${answer.text}`);
  return answer.body;
}
