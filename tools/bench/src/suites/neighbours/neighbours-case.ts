import type { Noise } from './noise';
import type { Operation } from './operations';
import type { ServiceName, Stack } from './stack';

/** A row of the table of fairness: what A does, and the operations of B that are measured meanwhile. */
export interface NeighboursCase {
  row: number;
  /** What A does. */
  noise: string;
  /** The unit of what A gets done. */
  unit: string;
  services: readonly ServiceName[];
  /** Whether further calls of A fail meanwhile. */
  blocksA?: boolean;
  /** Stores what the case needs. Runs before B is measured without A. */
  prepare?(stack: Stack): Promise<void>;
  /** Starts what A does. Resolves when it is in full progress. */
  start(stack: Stack): Promise<Noise>;
  operations(stack: Stack): Operation[];
}
