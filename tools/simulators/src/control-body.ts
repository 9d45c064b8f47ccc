import type { z } from 'zod';
import { ControlError } from './control-api';

/** Throws a ControlError that names the field. */
export function parseControlBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new ControlError(400, issues.join('; '));
}
