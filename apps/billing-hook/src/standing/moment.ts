/**
 * When the processor made an event, and when it came: text that sorts. State is taken from the newest, and of two that
 * were made in the same second the later arrival is the newer.
 */
export type Moment = string;

export function momentOf({ created, arrival }: { created: Date; arrival: number }): Moment {
  const seconds = Math.floor(created.getTime() / 1000);
  return `${String(seconds).padStart(10, '0')}.${String(arrival).padStart(16, '0')}`;
}

/** The processor's part of it. */
export function createdOf(moment: Moment): Date {
  return new Date(Number(moment.slice(0, moment.indexOf('.'))) * 1000);
}

export function newer(one: Moment | null, other: Moment | null): Moment | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

export function older(one: Moment, other: Moment): Moment {
  return one < other ? one : other;
}

export function newestOf(moments: (Moment | null)[]): Moment | null {
  return moments.reduce(newer, null);
}

/** Whether the first is newer; anything is newer than never. */
export function isNewer(one: Moment | null, other: Moment | null): boolean {
  return one !== null && (other === null || one > other);
}

/** Whether the first was made in a later second, whichever came first. */
export function isMadeLater(one: Moment, other: Moment): boolean {
  return createdOf(one) > createdOf(other);
}
