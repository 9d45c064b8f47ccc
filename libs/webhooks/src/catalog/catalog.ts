import { z } from 'zod';
import { RECORDS } from './event-records';
import { EVENT_TYPES, type WebhookEventType } from './event-types';
import { EXAMPLE_ID, EXAMPLES } from './examples';

export interface CatalogEntry {
  type: WebhookEventType;
  description: string;
  /** JSON Schema of the whole body. */
  schema: object;
  example: object;
}

const envelope = (type: WebhookEventType, data: z.ZodType) =>
  z.object({
    id: z.string().regex(/^evt_/),
    type: z.literal(type),
    timestamp: z.iso.datetime(),
    organization_id: z.uuid(),
    workspace_id: z.uuid().nullable(),
    data,
    truncated: z
      .literal(true)
      .optional()
      .meta({
        description:
          'Present if texts or lists of `data` were cut so that the event has at most 64 kB. Cut texts end in "…", cut lists hold ' +
          'their first items. Get the record by its id to read it completely',
      }),
  });

/** All event types with schema and example. */
export const CATALOG: readonly CatalogEntry[] = Object.entries(EVENT_TYPES).map(([name, description]) => {
  const type = name as WebhookEventType;
  return {
    type,
    description,
    // An input schema allows unknown properties, so that properties can be added later.
    schema: z.toJSONSchema(envelope(type, RECORDS[type]), { io: 'input' }),
    example: {
      id: `evt_${EXAMPLE_ID}`,
      type,
      timestamp: '2026-11-20T10:12:31.000Z',
      organization_id: EXAMPLE_ID,
      workspace_id: EXAMPLE_ID,
      data: EXAMPLES[type],
    },
  };
});

/** `data` of a sample event. */
export function exampleDataOf(type: WebhookEventType): object {
  return EXAMPLES[type];
}
