import { z } from 'zod';
import { describeType, metaOf, type ProductionRule } from './setting-type';

/** A setting in the reference of the configuration. */
export interface SettingReference {
  name: string;
  description: string;
  /** The accepted values, such as `a whole number from 0 to 65535`. */
  type: string;
  /** Markdown; null without a default. */
  defaultsTo: string | null;
  isRequired: boolean;
  isSecret: boolean;
  production: ProductionRule | null;
  example: string | null;
}

/** Describes the settings of a schema in its order. Throws an error for a setting without a description. */
export function describeSettings(schema: z.ZodObject): SettingReference[] {
  return Object.entries(schema.shape).map(([name, setting]) => {
    const { description, defaultsTo, secret, production, example } = metaOf(setting);
    if (!description) throw new Error(`${name}: end its schema with .meta({ description: '…' })`);
    const fixed = defaultOf(setting);
    return {
      name,
      description,
      type: describeType(name, setting),
      defaultsTo: defaultsTo ?? (fixed === null || secret ? null : `\`${fixed}\``),
      isRequired: !z.safeParse(setting, undefined).success,
      isSecret: secret === true,
      production: production ?? null,
      example: example ?? null,
    };
  });
}

/** The text of a constant default; null if there is none, or if it means "nothing". */
function defaultOf(setting: z.core.$ZodType): string | null {
  if (setting instanceof z.ZodDefault || setting instanceof z.ZodPrefault) return textOf(setting.def.defaultValue);
  if (setting instanceof z.ZodOptional) return defaultOf(setting.def.innerType);
  return setting instanceof z.ZodPipe ? defaultOf(setting.def.in) : null;
}

function textOf(value: unknown): string | null {
  if (value instanceof Set) return [...value].join(',');
  if (value instanceof Map || Array.isArray(value)) return null;
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map((entry) => entry.join('='))
      .join(',');
  return value === '' ? null : String(value);
}
