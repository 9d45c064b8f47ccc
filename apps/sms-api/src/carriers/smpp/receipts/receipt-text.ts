/** What a receipt's text says; fields that are missing or unreadable are null. */
export interface ReceiptText {
  id: string | null;
  stat: string | null;
  err: string | null;
  doneAt: Date | null;
}

/** Receipts are short; what comes after this many characters is not looked at. */
const MAX_TEXT_LENGTH = 1_024;
const MAX_VALUE_LENGTH = 256;

/** Quantifiers are bounded and alternatives start differently: one pass, whatever the carrier sends. */
const FIELD = /(?:^|[\s,;])(id|sub|dlvrd|submit[ _]?date|done[ _]?date|stat|err|text)\s{0,3}:/gi;

/**
 * Reads the conventional receipt text (SMPP 3.4, appendix B): `id:… sub:… dlvrd:… submit date:… done date:… stat:…
 * err:… text:…`, in any order and case. `zoneOffsetMinutes` is the zone of its dates, in minutes east of UTC.
 * Never throws.
 */
export function readReceiptText(text: string, zoneOffsetMinutes: number): ReceiptText {
  const fields = readFields(text.slice(0, MAX_TEXT_LENGTH));
  return {
    id: fields.get('id') ?? null,
    stat: fields.get('stat') ?? null,
    err: fields.get('err') ?? null,
    doneAt: readReceiptDate(fields.get('donedate') ?? '', zoneOffsetMinutes),
  };
}

function readFields(text: string): Map<string, string> {
  const found = [...text.matchAll(FIELD)];
  const fields = new Map<string, string>();
  for (const [index, match] of found.entries()) {
    const key = (match[1] ?? '').toLowerCase().replace(/[ _]/, '');
    // The text is the sender's own words: nothing behind it is believed once the receipt has said what it must.
    if (key === 'text' && fields.has('id') && fields.has('stat')) break;
    const value = text.slice(match.index + match[0].length, found[index + 1]?.index ?? text.length);
    const word = /^\s*([^\s]{1,256})/.exec(value.slice(0, MAX_VALUE_LENGTH))?.[1];
    // The first of its kind counts, for the same reason.
    if (word && !fields.has(key)) fields.set(key, word);
  }
  return fields;
}

/** `YYMMDDhhmm`, with seconds or with a four-digit year; null when it is no date. */
export function readReceiptDate(value: string, zoneOffsetMinutes: number): Date | null {
  const digits = /^\d{10,14}/.exec(value)?.[0] ?? '';
  switch (digits.length) {
    case 10:
      return utcDate(`20${digits}00`, zoneOffsetMinutes);
    case 12:
      return utcDate(`20${digits}`, zoneOffsetMinutes) ?? utcDate(`${digits}00`, zoneOffsetMinutes);
    case 14:
      return utcDate(digits, zoneOffsetMinutes);
    default:
      return null;
  }
}

/** `digits` are YYYYMMDDhhmmss. */
function utcDate(digits: string, zoneOffsetMinutes: number): Date | null {
  const part = (from: number, to: number) => Number(digits.slice(from, to));
  const [year, month, day] = [part(0, 4), part(4, 6), part(6, 8)];
  const [hour, minute, second] = [part(8, 10), part(10, 12), part(12, 14)];
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return null;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  // 31 February would quietly become March.
  if (midnight.getUTCDate() !== day || midnight.getUTCFullYear() !== year) return null;
  return new Date(midnight.getTime() + ((hour * 60 + minute - zoneOffsetMinutes) * 60 + second) * 1_000);
}
