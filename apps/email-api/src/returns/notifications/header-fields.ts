/** Header fields by lower-case name. If a field is repeated, the first one is used. */
export type HeaderFields = ReadonlyMap<string, string>;

export interface HeaderBlock {
  fields: HeaderFields;
  /** Offset after the empty line that ends the block. */
  end: number;
}

/** Limits far above the size of real notifications. Data beyond them is ignored. */
const MAX_BLOCK_LENGTH = 256 * 1024;
const MAX_FIELDS = 500;
const MAX_VALUE_LENGTH = 4_000;

/**
 * Parses fields up to an empty line (RFC 5322, 2.2). Folded lines are joined with a space; CRLF and LF are accepted.
 * Invalid lines are skipped.
 */
export function readHeaderFields(text: string, start = 0): HeaderBlock {
  const fields = new Map<string, string>();
  let name: string | null = null;
  let at = start;
  for (let next; at < text.length; at = next) {
    const lineEnd = text.indexOf('\n', at);
    next = lineEnd < 0 ? text.length : lineEnd + 1;
    // The length of a line is limited before it is parsed.
    const line = text.slice(at, Math.min(next, at + MAX_VALUE_LENGTH)).trimEnd();
    if (line === '') return { fields, end: next };
    if (at - start > MAX_BLOCK_LENGTH) continue;
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (name !== null) append(fields, name, line);
      continue;
    }
    name = nameOf(line);
    if (name === null) continue;
    if (fields.has(name) || fields.size >= MAX_FIELDS) name = null;
    else fields.set(name, line.slice(line.indexOf(':') + 1).trim());
  }
  return { fields, end: at };
}

function append(fields: Map<string, string>, name: string, line: string): void {
  const value = fields.get(name) ?? '';
  if (value.length < MAX_VALUE_LENGTH)
    fields.set(name, `${value} ${line.trim()}`.trimStart().slice(0, MAX_VALUE_LENGTH));
}

function nameOf(line: string): string | null {
  return /^([!-9;-~]{1,100})[ \t]*:/.exec(line)?.[1]?.toLowerCase() ?? null;
}

/** Removes comments, which may be nested (RFC 5322, 3.2.2). */
export function withoutComments(value: string): string {
  let depth = 0;
  let isQuoted = false;
  let text = '';
  for (let at = 0; at < value.length; at++) {
    const character = value[at] ?? '';
    if (character === '\\') {
      if (depth === 0) text += value.slice(at, at + 2);
      at++;
    } else if (character === '"' && depth === 0) {
      isQuoted = !isQuoted;
      text += character;
    } else if (character === '(' && !isQuoted) depth++;
    else if (character === ')' && depth > 0) depth--;
    else if (depth === 0) text += character;
  }
  return text.trim();
}
