import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { ControlCut, ControlPage, type ControlApi, type ControlRequest } from '../control-api';
import { parseControlBody } from '../control-body';
import { inboxBehaviourSchema, type WebhookInbox } from './webhook-inbox';

const secretsBody = z.strictObject({ secrets: z.array(z.string().min(1)).max(100) });
const behaviourBody = inboxBehaviourSchema.extend({ name: z.string().optional() });
const nameBody = z.strictObject({ name: z.string().optional() });

/** Adds the receiver of webhooks to the control API. */
export function addWebhookInboxRoutes(api: ControlApi, inbox: WebhookInbox): void {
  api
    .route('GET', '/webhook-inbox', ({ query }) => ({ deliveries: inbox.deliveries(query.get('name')) }))
    .route('DELETE', '/webhook-inbox', ({ query }) => inbox.forget(query.get('name')))
    .route('PUT', '/webhook-inbox/secrets', ({ body }) => inbox.setSecrets(parseControlBody(secretsBody, body).secrets))
    .route('DELETE', '/webhook-inbox/secrets', () => inbox.setSecrets([]))
    .route('PUT', '/webhook-inbox/behaviour', ({ body }) => {
      const { name, ...behaviour } = parseControlBody(behaviourBody, body);
      inbox.behave(behaviour, name);
    })
    .route('DELETE', '/webhook-inbox/behaviour', ({ body }) =>
      inbox.resetBehaviour(parseControlBody(nameBody, body ?? {}).name),
    )
    .route('POST', '/webhook-inbox/:name', (request) => receive(inbox, request));
}

async function receive(
  inbox: WebhookInbox,
  { params, headers, body, rawBody }: ControlRequest,
): Promise<ControlPage | ControlCut> {
  const { status, delayMs, retryAfter, cut } = inbox.receive(params['name'] ?? '', textsOf(headers), body, rawBody);
  if (delayMs > 0) await setTimeout(delayMs);
  if (cut) return new ControlCut();
  const wait: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return new ControlPage(JSON.stringify({ ok: status < 300 }), 'application/json', wait, status);
}

function textsOf(headers: ControlRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
