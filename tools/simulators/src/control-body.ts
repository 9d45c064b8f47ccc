import { z } from 'zod';
import { ControlError, type ControlApi } from './control-api';

/** Validates a body. Throws a ControlError that names the field. */
export function parseControlBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new ControlError(400, issues.join('; '));
}

/** A phone number in any notation. */
export const numberSchema = z.string().refine((to) => /\d/.test(to), 'must contain the digits of a number');

interface BehaviourRoutes {
  /** The schema of `match.to`. */
  recipient: z.ZodType<string>;
  schema: z.ZodObject;
  behaviours: { set(behaviour: object, to?: string): void; reset(to?: string): void };
}

/** Adds the routes that set and reset behaviours, in general or for the recipient in `match`. */
export function addBehaviourRoutes(
  api: ControlApi,
  path: string,
  { recipient, schema, behaviours }: BehaviourRoutes,
): void {
  const match = z.strictObject({ to: recipient }).optional();
  const putBody = schema.extend({ match });
  const deleteBody = z.strictObject({ match }).optional();
  api
    .route('PUT', path, ({ body }) => {
      const { match: target, ...behaviour }: { match?: z.output<typeof match> } = parseControlBody(putBody, body ?? {});
      behaviours.set(behaviour, target?.to);
    })
    .route('DELETE', path, ({ body }) => behaviours.reset(parseControlBody(deleteBody, body)?.match?.to));
}
