import type { ControlApi } from '../control-api';
import { addBehaviourRoutes, numberSchema } from '../control-body';
import { behaviourSchema } from './behaviour';
import type { CarrierSimulator } from './carrier-simulator';

/** Adds the routes of the carrier to the control API. */
export function addCarrierRoutes(api: ControlApi, carrier: CarrierSimulator): void {
  const { behaviours } = carrier;
  addBehaviourRoutes(api, '/carrier/behaviour', { recipient: numberSchema, schema: behaviourSchema, behaviours });
  api
    .route('GET', '/carrier/messages', ({ query }) => ({ messages: carrier.messages(query.get('to') ?? undefined) }))
    .route('GET', '/carrier/totals', () => carrier.totals)
    .route('POST', '/carrier/disconnect', () => carrier.disconnect());
}
