import { z } from 'zod';
import { defineEvent } from '../event-contract';

const workspace = z.object({
  workspaceId: z.uuid(),
  slug: z.string(),
  displayName: z.string(),
  plan: z.string(),
  status: z.string(),
});

export const workspaceCreated = defineEvent({
  type: 'workspace.created',
  version: 1,
  mandatory: false,
  schema: workspace,
});

/** The name, plan or status of a workspace changed. */
export const workspaceChanged = defineEvent({
  type: 'workspace.changed',
  version: 1,
  mandatory: false,
  schema: workspace.extend({ previousPlan: z.string(), previousStatus: z.string() }),
});
