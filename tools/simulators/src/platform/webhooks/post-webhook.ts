import { createHmac } from 'node:crypto';
import type { HookAnswer } from '../../payments/payments-simulator';

const ANSWER_TIMEOUT_MS = 10_000;

/** Signs the bytes, posts them and gives back the answer. Rejects when there is none. */
export async function postWebhook(url: string, rawBody: Buffer, appSecret: string): Promise<HookAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(appSecret === '' ? {} : { 'X-Hub-Signature-256': signatureOf(rawBody, appSecret) }),
    },
    body: rawBody,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  return { status: response.status, body: parsed(await response.text()) };
}

function signatureOf(rawBody: Buffer, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(rawBody).digest('hex')}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
