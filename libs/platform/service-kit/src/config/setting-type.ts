import { z } from 'zod';

/** Units by the endings of the names of settings. */
const UNITS: readonly (readonly [ending: string, unit: string])[] = [
  ['_MS', 'milliseconds'],
  ['_SECONDS', 'seconds'],
  ['_HOURS', 'hours'],
  ['_DAYS', 'days'],
];

/** Schemas that wrap the schema of the text of a variable. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return unwrapped(schema.def.innerType);
  return schema instanceof z.ZodPipe ? unwrapped(schema.def.in) : schema;
}

/** The values that a setting accepts, in words that complete the sentence "It must be …". */
export function describeType(name: string, schema: z.core.$ZodType): string {
  const form = metaOf(schema).form;
  if (form !== undefined) return form;
  const text = unwrapped(schema);
  if (text instanceof z.ZodEnum) {
    const values = Object.values(text.def.entries).map(String);
    return values.includes('true') ? '`true` or `false`' : `one of ${values.map((value) => `\`${value}\``).join(', ')}`;
  }
  if (text instanceof z.ZodNumber) return describeNumber(name, text);
  if (text instanceof z.ZodURL) return 'a URL';
  if (text instanceof z.ZodEmail) return 'an email address';
  return 'text';
}

function describeNumber(name: string, schema: z.ZodNumber): string {
  const { minimum, maximum, exclusiveMinimum } = z.toJSONSchema(schema) as Record<string, number | undefined>;
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const range = isBounded
    ? ` from ${minimum ?? 0} to ${maximum}`
    : exclusiveMinimum !== undefined
      ? ` above ${exclusiveMinimum}`
      : ` of at least ${minimum ?? 0}`;
  const unit = UNITS.find(([ending]) => name.endsWith(ending))?.[1];
  return `${schema.format === 'safeint' ? 'a whole number' : 'a number'}${unit ? ` of ${unit}` : ''}${unit && !isBounded ? range.replace(' of', ',') : range}`;
}

/**
 * Rule of a setting in production. `required`: it must be set. `https`: it must be set to an https URL. `https-if-set`: if it is set,
 * its URLs must be https. `off`: it must not be enabled.
 */
export type ProductionRule = 'required' | 'https' | 'https-if-set' | 'off';

/** What `.meta()` of a setting declares. It is the last call of a schema, because a wrapping schema does not have it. */
declare module 'zod' {
  interface GlobalMeta {
    /** What the setting does, in sentences. */
    description?: string;
    /** The values that it accepts, if the schema does not say it: completes "It must be …". */
    form?: string;
    /** A valid value. Parts such as `$(openssl rand -hex 32)` are commands of a shell. */
    example?: string;
    /** The default in words, if it is not a constant. */
    defaultsTo?: string;
    /** Whether the value, or a part of it, must remain secret. */
    secret?: boolean;
    /** The rule in production. */
    production?: ProductionRule;
  }
}

export function metaOf(schema: z.core.$ZodType): z.GlobalMeta {
  return z.globalRegistry.get(schema) ?? {};
}
