import type { TimelineType } from './timeline.dto';

export interface TimelineEntry {
  /** Null: it did not happen. */
  at: Date | null;
  type: TimelineType;
  summary: string;
  details?: Record<string, unknown>;
}

/** The part of a message that a channel stores. */
export interface StoredTimeline {
  status: string;
  entries: TimelineEntry[];
  /** The references of the ledger entries of the message. */
  references: string[];
}
