/**
 * Timestamp of an event: creation time at the processor and arrival number, as sortable text. State is derived from
 * the newest event; among events created in the same second, the later arrival is newer.
 */
export type EventTimestamp = string;

export function timestampOf({ created, arrival }: { created: Date; arrival: number }): EventTimestamp {
  const seconds = Math.floor(created.getTime() / 1000);
  return `${String(seconds).padStart(10, '0')}.${String(arrival).padStart(16, '0')}`;
}

/** The timestamp of something that happened at a given time, or at the time of the event if that was earlier. */
export function noLaterThan(event: EventTimestamp, time: Date | null): EventTimestamp {
  if (time === null) return event;
  return older(event, timestampOf({ created: time, arrival: 0 }));
}

/** The creation time at the processor. */
export function createdAtOf(timestamp: EventTimestamp): Date {
  return new Date(Number(timestamp.slice(0, timestamp.indexOf('.'))) * 1000);
}

export function newer(one: EventTimestamp | null, other: EventTimestamp | null): EventTimestamp | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

export function older(one: EventTimestamp, other: EventTimestamp): EventTimestamp {
  return one < other ? one : other;
}

export function newestOf(timestamps: (EventTimestamp | null)[]): EventTimestamp | null {
  return timestamps.reduce(newer, null);
}

/** Whether the first timestamp is newer. Every timestamp is newer than null. */
export function isNewer(one: EventTimestamp | null, other: EventTimestamp | null): boolean {
  return one !== null && (other === null || one > other);
}

/** Whether the first event was created in a later second, regardless of arrival. */
export function isCreatedLater(one: EventTimestamp, other: EventTimestamp): boolean {
  return createdAtOf(one) > createdAtOf(other);
}
