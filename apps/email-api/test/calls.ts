import type { EmailFixture } from './email-fixture';

/** What came back. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

export interface CallOptions {
  method?: string;
  key?: string | null;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** One HTTP call, exactly as given. */
export async function call(email: EmailFixture, path: string, options: CallOptions = {}): Promise<Answer> {
  const { method = 'GET', key = null, headers = {}, body } = options;
  const response = await fetch(`${email.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(key === null ? {} : { 'X-API-Key': key }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

/** `POST /email/send` with a body that is made JSON, unless it is text or octets already. */
export function send(
  email: EmailFixture,
  key: string | null,
  body: unknown,
  options: CallOptions & { path?: string } = {},
): Promise<Answer> {
  const { path = '/email/send', ...rest } = options;
  return call(email, path, {
    method: 'POST',
    key,
    ...rest,
    headers: { 'Content-Type': 'application/json', ...options.headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
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

/** The same, when it has to be taken. */
export async function sendOk(email: EmailFixture, key: string, body: unknown): Promise<SendAnswer> {
  const answer = await send(email, key, body);
  if (answer.status !== 200) throw new Error(`the send was answered ${answer.status}: ${answer.text}`);
  return answer.body as unknown as SendAnswer;
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

/** `GET /email/status`. */
export async function reportOf(email: EmailFixture, key: string, id: string): Promise<Report> {
  const answer = await call(email, `/email/status?id=${id}`, { key });
  if (answer.status !== 200) throw new Error(`the report was answered ${answer.status}: ${answer.text}`);
  return answer.body as unknown as Report;
}
