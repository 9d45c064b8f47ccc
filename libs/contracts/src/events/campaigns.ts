import { z } from 'zod';
import { defineEvent } from '../event-contract';

/** A campaign was started, paused or completed. `campaign`: its v1 record at that time. */
const changed = z.object({ campaignId: z.uuid(), campaign: z.record(z.string(), z.unknown()) });
const define = <T extends string>(type: T) => defineEvent({ type, version: 1, mandatory: false, schema: changed });

export const campaignStarted = define('campaign.started');
export const campaignPaused = define('campaign.paused');
export const campaignCompleted = define('campaign.completed');
