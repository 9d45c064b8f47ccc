/** Objects of the processor are read field by field: of each only what is of the right kind, whatever else it holds. */
export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

const CONTROL = /\p{Cc}+/gu;

/** Text for people, on one line: control characters become blanks. Null when there is none. */
export function textOf(value: unknown, maxLength = 500): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replace(CONTROL, ' ').trim().slice(0, maxLength).toWellFormed();
  return text === '' ? null : text;
}

/** An id, or the id of the object that the processor put in its place. */
export function idOf(value: unknown): string | null {
  const id = fieldsOf(value)['id'] ?? value;
  return typeof id === 'string' && id !== '' && id.length <= 255 ? id : null;
}

/** Minor units of a currency; null for what is no whole number. */
export function amountOf(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

const LATEST_SECONDS = 253_402_300_799;

/** A time in Unix seconds. */
export function timeOf(value: unknown): Date | null {
  const isTime = Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= LATEST_SECONDS;
  return isTime ? new Date((value as number) * 1000) : null;
}
