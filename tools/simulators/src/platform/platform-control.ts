import { z } from 'zod';
import { ControlError, type ControlApi } from '../control-api';
import { parseControlBody } from '../control-body';
import { behaviourSchema } from './behaviour';
import { MAX_UPDATES, NoHookError, type PlatformSimulator } from './platform-simulator';
import { inboundSchema, statusSchema } from './webhooks/updates';

const match = z.strictObject({
  to: z.string().refine((to) => /\d/.test(to), 'must hold the digits of a number'),
});
const putBody = z.strictObject({ match: match.optional(), ...behaviourSchema.shape });
const deleteBody = z.strictObject({ match: match.optional() }).optional();
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

/** The chat-app platform's part of the control API. */
export function addPlatformRoutes(api: ControlApi, platform: PlatformSimulator): void {
  api
    .route('GET', '/platform/requests', ({ query }) => ({ requests: platform.requests(query.get('to') ?? undefined) }))
    .route('DELETE', '/platform/requests', () => platform.forgetRequests())
    .route('GET', '/platform/messages', ({ query }) => ({ messages: platform.messages(query.get('to') ?? undefined) }))
    .route('GET', '/platform/totals', () => platform.totals)
    .route('PUT', '/platform/behaviour', ({ body }) => {
      const { match: recipient, ...behaviour } = parseControlBody(putBody, body ?? {});
      platform.behave(behaviour, recipient?.to);
    })
    .route('DELETE', '/platform/behaviour', ({ body }) => {
      platform.behaviours.reset(parseControlBody(deleteBody, body)?.match?.to);
    })
    .route('POST', '/platform/disconnect', () => platform.disconnect())
    .route('POST', '/platform/inbound', ({ body }) =>
      posting(platform.postInbound(parseControlBody(inboundSchema, body))),
    )
    .route('POST', '/platform/statuses', ({ body }) =>
      posting(platform.postStatus(parseControlBody(statusSchema, body))),
    )
    .route('POST', '/platform/webhook', ({ body }) =>
      posting(platform.postUpdates(parseControlBody(webhookBody, body).updates)),
    )
    .route('PUT', '/platform/templates/{name}', ({ params, body }) => {
      platform.reviewTemplate(params['name'] ?? '', parseControlBody(templateBody, body));
    });
}

async function posting<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NoHookError) throw new ControlError(409, error.message);
    throw new ControlError(502, `the receiver of webhooks did not answer: ${String(error)}`);
  }
}
