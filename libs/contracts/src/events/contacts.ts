import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** A contact was created, changed or deleted. `contact`: its v1 record at that time, the last one of a deleted contact. */
const changed = z.object({ contactId: z.uuid(), contact: z.record(z.string(), z.unknown()) });
const define = <T extends string>(type: T) => defineEvent({ type, version: 1, mandatory: false, schema: changed });

export const contactCreated = define('contact.created');
export const contactUpdated = define('contact.updated');
export const contactDeleted = define('contact.deleted');
