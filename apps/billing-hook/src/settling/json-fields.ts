/** Reads objects of the processor property by property. Values of an unexpected type are treated as absent. */
export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

const CONTROL = /\p{Cc}+/gu;

/** Single-line text: control characters become spaces. Null if it is absent or blank. */
export function textOf(value: unknown, maxLength = 500): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replace(CONTROL, ' ').trim().slice(0, maxLength).toWellFormed();
  return text === '' ? null : text;
}

/** An id, or the id of an expanded object. */
export function idOf(value: unknown): string | null {
  const id = fieldsOf(value)['id'] ?? value;
  return typeof id === 'string' && id !== '' && id.length <= 255 ? id : null;
}

/** Amount in minor units; null if it is not an integer. */
export function amountOf(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}

const LATEST_SECONDS = 253_402_300_799;

/** Timestamp in Unix seconds. */
export function timeOf(value: unknown): Date | null {
  const isTime = Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= LATEST_SECONDS;
  return isTime ? new Date((value as number) * 1000) : null;
}
