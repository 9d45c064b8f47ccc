/** The fields of a receipt text; missing or invalid fields are null. */
export interface ReceiptText {
  id: string | null;
  stat: string | null;
  err: string | null;
  /** Numbers of submitted and delivered messages. */
  sub: string | null;
  dlvrd: string | null;
  submittedAt: Date | null;
  doneAt: Date | null;
  /** The text begins with the id, as no ordinary text of a person does. */
  beginsWithId: boolean;
}

/** Receipts are short; text beyond this length is ignored. */
const MAX_TEXT_LENGTH = 1_024;
const MAX_VALUE_LENGTH = 256;

/** The underscore in GSM 03.38, in ids of carriers that send the default alphabet. */
const GSM_UNDERSCORE = '\x11';
/** Some carriers end the text or a field with NUL, which PostgreSQL cannot store. */
const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** Bounded quantifiers and alternatives with distinct prefixes guarantee linear time for any input. */
const FIELD =
  /(?:^|[\s,;|])(id|(?:msg|message)[ _]?id|sub|dlvrd|submit[ _]?date|done[ _]?date|stat(?:e|us)?|err(?:or)?(?:[ _]?code)?|text)\s{0,3}[:=]/gi;

/**
 * Parses the conventional receipt text (SMPP 3.4, appendix B): `id:… sub:… dlvrd:… submit date:… done date:… stat:…
 * err:… text:…`, in any order and case. `zoneOffsetMinutes` is the time zone of its dates, in minutes east of UTC.
 * Control characters separate fields and values as spaces do. Never throws.
 */
export function parseReceiptText(text: string, zoneOffsetMinutes: number): ReceiptText {
  const fields = parseFields(
    text.slice(0, MAX_TEXT_LENGTH).replaceAll(GSM_UNDERSCORE, '_').replaceAll(CONTROL_CHARACTERS, ' '),
  );
  const [firstKey] = fields.keys();
  return {
    id: fields.get('id') ?? null,
    stat: fields.get('stat') ?? null,
    err: fields.get('err') ?? null,
    sub: fields.get('sub') ?? null,
    dlvrd: fields.get('dlvrd') ?? null,
    submittedAt: parseReceiptDate(fields.get('submitdate') ?? '', zoneOffsetMinutes),
    doneAt: parseReceiptDate(fields.get('donedate') ?? '', zoneOffsetMinutes),
    beginsWithId: firstKey === 'id' && /^\s{0,8}(?:id|m)/i.test(text.slice(0, 16)),
  };
}

function parseFields(text: string): Map<string, string> {
  const found = [...text.matchAll(FIELD)];
  const fields = new Map<string, string>();
  for (const [index, match] of found.entries()) {
    const key = fieldName(match[1] ?? '');
    // `text` is controlled by the sender: fields after it are not trusted once id and stat are known.
    if (key === 'text' && fields.has('id') && fields.has('stat')) break;
    const value = text.slice(match.index + match[0].length, found[index + 1]?.index ?? text.length);
    const word = /^[\s"']*([^\s"']{1,256})/.exec(value.slice(0, MAX_VALUE_LENGTH))?.[1]?.replace(/[,;|]{1,8}$/, '');
    // The first occurrence of a field is used, for the same reason.
    if (word && !fields.has(key)) fields.set(key, word);
  }
  return fields;
}

/** Maps the variants of a key to the name of SMPP 3.4, without its space. */
function fieldName(key: string): string {
  const name = key.toLowerCase().replace(/[ _]/g, '');
  if (name.endsWith('id')) return 'id';
  if (name.startsWith('stat')) return 'stat';
  return name.startsWith('err') ? 'err' : name;
}

/** Parses `YYMMDDhhmm`, optionally with seconds or a four-digit year; null if it is not a date. */
export function parseReceiptDate(value: string, zoneOffsetMinutes: number): Date | null {
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
  const year = part(0, 4);
  const month = part(4, 6);
  const day = part(6, 8);
  const hour = part(8, 10);
  const minute = part(10, 12);
  const second = part(12, 14);
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return null;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC would silently convert 31 February to March.
  if (midnight.getUTCDate() !== day || midnight.getUTCFullYear() !== year) return null;
  return new Date(midnight.getTime() + ((hour * 60 + minute - zoneOffsetMinutes) * 60 + second) * 1_000);
}
