import { readEmailAddress } from '@heliograph/addresses';
import { z } from 'zod';

export const text = z.string().min(1);
export const optionalText = text.nullable().default(null);

/** 3 to 63 lower-case letters, digits and inner hyphens. */
export const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/, 'must be 3 to 63 lower-case letters, digits and inner hyphens');

const EMAIL_ADDRESS_RULE = 'must be an email address';

/** Address of a user, by the rules of registration but without surrounding spaces. */
export const emailAddress = z
  .string(EMAIL_ADDRESS_RULE)
  .refine((value) => readEmailAddress(value) !== null, EMAIL_ADDRESS_RULE);

/** RFC 3339 with a zone, because otherwise the time would depend on the machine. */
export const timestamp = z.iso
  .datetime({ offset: true, error: 'must be a timestamp with a zone, such as 2026-11-20T10:12:28Z' })
  .transform((value) => new Date(value));

export const count = z.number().int().min(0);

interface Refinement {
  addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void;
}

/** Rejects a second entry with the same natural key, which would overwrite the first one. */
export function refuseRepeats<Entry>(
  context: Refinement,
  list: readonly Entry[],
  path: PropertyKey[],
  field: string,
  keyOf: (entry: Entry) => unknown,
): void {
  const seen = new Set<unknown>();
  list.forEach((entry, index) => {
    const key = keyOf(entry);
    if (key !== undefined && seen.has(key)) {
      context.addIssue({ code: 'custom', path: [...path, index, field], message: 'is used twice; it must be unique' });
    }
    seen.add(key);
  });
}
