import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** Services that store data of persons. Each erases its own tables. */
export const ERASING_SERVICES = ['account-api', 'sms-api', 'email-api', 'chatapp-api', 'bot-runtime'] as const;
export type ErasingService = (typeof ERASING_SERVICES)[number];

/** Name of the queue of a service. */
export const erasureQueue = <Service extends ErasingService>(service: Service): `${Service}.erasure` =>
  `${service}.erasure`;

/**
 * A person is to be erased. The event contains only a reference: consumers read the address from `persons.erasures`,
 * which keeps it until all services have finished.
 */
export const personErasureRequested = defineEvent({
  type: 'person.erasure.requested',
  version: 1,
  mandatory: true,
  schema: z.object({ erasureId: z.uuid() }),
});
