import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** An email domain was verified, or is no longer verified after the grace period. */
const changed = z.object({ domainId: z.uuid(), name: z.string() });
const define = <T extends string>(type: T) => defineEvent({ type, version: 1, mandatory: false, schema: changed });

export const emailDomainVerified = define('domain.verified');
export const emailDomainLapsed = define('domain.lapsed');
