import { z } from 'zod';
import { ControlError, type ControlApi } from '../control-api';
import { addBehaviourRoutes, numberSchema, parseControlBody } from '../control-body';
import { behaviourSchema } from './behaviour';
import { MAX_UPDATES, NoHookError, type ProviderSimulator } from './provider-simulator';
import { inboundSchema, statusSchema } from './webhooks/updates';

const templateBody = z.strictObject({
  status: z.string().min(1),
  language: z.string().min(1).optional(),
  category: z.string().min(1).optional(),
  components: z.array(z.looseObject({ type: z.string().min(1) })).optional(),
});
const webhookBody = z.strictObject({
  updates: z
    .array(z.union([inboundSchema, statusSchema]))
    .min(1)
    .max(MAX_UPDATES),
});

/** Adds the routes of the chat-app provider to the control API. */
export function addProviderRoutes(api: ControlApi, provider: ProviderSimulator): void {
  const { behaviours } = provider;
  addBehaviourRoutes(api, '/platform/behaviour', { recipient: numberSchema, schema: behaviourSchema, behaviours });
  api
    .route('GET', '/platform/requests', ({ query }) => ({ requests: provider.requests(query.get('to') ?? undefined) }))
    .route('DELETE', '/platform/requests', () => provider.forgetRequests())
    .route('GET', '/platform/messages', ({ query }) => ({ messages: provider.messages(query.get('to') ?? undefined) }))
    .route('GET', '/platform/totals', () => provider.totals)
    .route('POST', '/platform/disconnect', () => provider.disconnect())
    .route('POST', '/platform/inbound', ({ body }) =>
      posting(provider.postInbound(parseControlBody(inboundSchema, body))),
    )
    .route('POST', '/platform/statuses', ({ body }) =>
      posting(provider.postStatus(parseControlBody(statusSchema, body))),
    )
    .route('POST', '/platform/webhook', ({ body }) =>
      posting(provider.postUpdates(parseControlBody(webhookBody, body).updates)),
    )
    .route('PUT', '/platform/templates/:name', ({ params, body }) => {
      provider.reviewTemplate(params['name'] ?? '', parseControlBody(templateBody, body));
    });
}

async function posting<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NoHookError) throw new ControlError(409, error.message);
    throw new ControlError(502, `the webhook receiver did not answer: ${String(error)}`);
  }
}
