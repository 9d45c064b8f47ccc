import type { NeighboursCase } from '../neighbours-case';
import { ADMISSION_CASES } from './admission';
import { EVENT_CASES } from './events';
import { QUEUE_CASES } from './queues';
import { RUNNER_CASES } from './runners';

export const CASES: readonly NeighboursCase[] = [
  ...ADMISSION_CASES,
  ...QUEUE_CASES,
  ...RUNNER_CASES,
  ...EVENT_CASES,
].toSorted((one, other) => one.row - other.row);
