import { z } from 'zod';
import type { ControlApi } from '../control-api';
import { parseControlBody } from '../control-body';
import { behaviourSchema } from './behaviour';
import type { CarrierSimulator } from './carrier-simulator';

const match = z.strictObject({
  to: z.string().refine((to) => /\d/.test(to), 'must hold the digits of a number'),
});
const putBody = z.strictObject({ match: match.optional(), ...behaviourSchema.shape });
const deleteBody = z.strictObject({ match: match.optional() }).optional();

/** The carrier's part of the control API. */
export function addCarrierRoutes(api: ControlApi, carrier: CarrierSimulator): void {
  api
    .route('GET', '/carrier/messages', ({ query }) => ({ messages: carrier.messages(query.get('to') ?? undefined) }))
    .route('GET', '/carrier/totals', () => carrier.totals)
    .route('PUT', '/carrier/behaviour', ({ body }) => {
      const { match: recipient, ...behaviour } = parseControlBody(putBody, body ?? {});
      carrier.behave(behaviour, recipient?.to);
    })
    .route('DELETE', '/carrier/behaviour', ({ body }) => {
      carrier.behaviours.reset(parseControlBody(deleteBody, body)?.match?.to);
    })
    .route('POST', '/carrier/disconnect', () => carrier.disconnect());
}
