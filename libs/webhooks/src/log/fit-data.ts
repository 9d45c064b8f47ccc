/** Maximum size of the body of an event in bytes. */
export const MAX_EVENT_BYTES = 64_000;

interface Bounds {
  /** Longer texts are cut. */
  maxCharacters: number;
  /** Longer lists are cut. */
  maxItems: number;
}

/** Each step cuts more. The last one does not cut ids, timestamps and email addresses. */
const STEPS: readonly Bounds[] = [
  { maxCharacters: 16_000, maxItems: 500 },
  { maxCharacters: 8_000, maxItems: 200 },
  { maxCharacters: 4_000, maxItems: 100 },
  { maxCharacters: 2_000, maxItems: 50 },
  { maxCharacters: 1_000, maxItems: 20 },
  { maxCharacters: 320, maxItems: 10 },
];
/** No record has more properties; objects of callers and providers may have. */
const MAX_PROPERTIES = 100;
const MAX_DEPTH = 12;
/** A word at the end of a cut text, which could be a part of an address. */
const PARTIAL_WORD = /\S{1,320}$/;

/**
 * Cuts the data of an event to `maxBytes` bytes of JSON: texts first, which then end in "…", and lists, which then hold their
 * first items. All other values stay, so the result has the same schema. Null if nothing has to be cut.
 */
export function fitData(data: object, maxBytes: number): object | null {
  if (bytesOf(data) <= maxBytes) return null;
  for (const bounds of STEPS) {
    const cut = cutObject(data, bounds, 0);
    if (bytesOf(cut) <= maxBytes) return cut;
  }
  return {};
}

function bytesOf(data: object): number {
  return Buffer.byteLength(JSON.stringify(data));
}

function cutObject(value: object, bounds: Bounds, depth: number): object {
  const entries = Object.entries(value as Record<string, unknown>).slice(0, MAX_PROPERTIES);
  return Object.fromEntries(entries.map(([name, one]) => [name, cutValue(one, bounds, depth + 1)]));
}

function cutValue(value: unknown, bounds: Bounds, depth: number): unknown {
  if (typeof value === 'string') return cutText(value, bounds.maxCharacters);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.slice(0, bounds.maxItems).map((one) => cutValue(one, bounds, depth + 1));
  return cutObject(value, bounds, depth);
}

function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = text.slice(0, maxCharacters - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start.replace(PARTIAL_WORD, '') || start}…`;
}
