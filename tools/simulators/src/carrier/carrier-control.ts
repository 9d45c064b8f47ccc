import { z } from 'zod';
import { ControlError, type ControlApi } from '../control-api';
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
      const { match: recipient, ...behaviour } = parse(putBody, body ?? {});
      carrier.behave(behaviour, recipient?.to);
    })
    .route('DELETE', '/carrier/behaviour', ({ body }) => {
      carrier.behaviours.reset(parse(deleteBody, body)?.match?.to);
    })
    .route('POST', '/carrier/disconnect', () => carrier.disconnect());
}

/** Throws a ControlError that names the field. */
function parse<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new ControlError(400, issues.join('; '));
}
