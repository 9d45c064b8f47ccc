import { z } from 'zod';

/**
 * The kinds of jobs, which share the workers by weight. `single`: a message of its own, such as a one-time code; `bulk`: one of
 * many messages of a call; `campaign`: a message of a campaign.
 */
export const JOB_KINDS = ['single', 'bulk', 'campaign'] as const;

export type JobKind = (typeof JOB_KINDS)[number];

/** The jobs of one kind and organization. The lanes of a stage take turns. */
export interface JobLane {
  kind: JobKind;
  /** Null for jobs of no organization. */
  organizationId: string | null;
}

/** The kind in the data of a job. Jobs of earlier releases have none and count as bulk. */
export const jobKind = z.enum(JOB_KINDS).default('bulk');
