import type { SchemaOrReference } from '@heliograph/api-reference';
import { CATALOG, RECORDS } from '@heliograph/webhooks';
import { z } from 'zod';

/** The events of webhooks and of the feed, and the schemas of their data. */
export interface EventSchemas {
  /** The schema of `data` and the description by event type. */
  types: { type: string; description: string; schema: string }[];
  schemas: Record<string, SchemaOrReference>;
}

/** Event types with the same record share its schema, which is named after the first of them: `SmsEventData`. */
export function eventSchemas(): EventSchemas {
  const names = new Map<z.ZodType, string>();
  const schemas: Record<string, SchemaOrReference> = {};
  const types = CATALOG.map(({ type, description }) => {
    const record: z.ZodType = RECORDS[type];
    let schema = names.get(record);
    if (schema === undefined) {
      schema = nameFor(type, [...names.values()]);
      names.set(record, schema);
      schemas[schema] = z.toJSONSchema(record, { target: 'openapi-3.0', io: 'output' }) as SchemaOrReference;
    }
    return { type, description, schema };
  });
  return { types, schemas };
}

/** `SmsEventData`; if another record of the group has that name, `BotHandoffEventData`. */
function nameFor(type: string, taken: string[]): string {
  const parts = type.split('.');
  for (let count = 1; count <= parts.length; count++) {
    const name = `${parts
      .slice(0, count)
      .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      .join('')}EventData`;
    if (!taken.includes(name)) return name;
  }
  throw new Error(`The records of ${type} need another name.`);
}
