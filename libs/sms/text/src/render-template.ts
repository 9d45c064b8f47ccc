import { MAX_BODY_UNITS } from './segment-count';

/** A parsed template body. Immutable, so that it can be cached and shared. */
export interface ParsedTemplate {
  /** The distinct variables, in order of first appearance. */
  readonly tokens: readonly string[];
  /** The texts around the placeholders; always one more than there are placeholders. */
  readonly literals: readonly string[];
  /** For each placeholder, the index of its token. */
  readonly slots: readonly number[];
  /** For each placeholder, the maximum length of its value in UTF-16 units; null if it is not limited. */
  readonly limits: readonly (number | null)[];
  /** The token of a single positional placeholder, whose value may also be sent as `var1`; null otherwise. */
  readonly lone: string | null;
}

/** `tooLong`: the body exceeds the maximum number of segments in every encoding. */
export type RenderedTemplate = { body: string } | { missing: string[] } | { tooLong: true };

/**
 * `{{token}}`, optionally with spaces inside, and `{#var#}`. A token consists of letters, digits and marks of any
 * script, underscore, hyphen and dot. The character classes are disjoint, so matching takes linear time.
 */
const PLACEHOLDER = /\{\{[ \t]*([\p{L}\p{M}\p{N}_.-]+)[ \t]*\}\}|\{#var#\}/gu;
/** Maximum length of the value of `{#var#}` in UTF-16 units, set by the DLT registries. */
const MAX_DLT_VALUE_LENGTH = 30;
const LONE_TOKEN = 'var';
const FIRST_POSITION = 'var1';

/**
 * Parses a template body. Positional placeholders become the tokens `var1`, `var2` and so on; a single one becomes
 * `var`. Anything else that resembles a placeholder is text.
 */
export function parseTemplate(body: string): ParsedTemplate {
  const matches = [...body.matchAll(PLACEHOLDER)];
  const isLone = matches.filter((match) => match[1] === undefined).length === 1;
  const indexes = new Map<string, number>();
  const literals: string[] = [];
  const slots: number[] = [];
  const limits: (number | null)[] = [];
  let position = 0;
  let end = 0;
  for (const match of matches) {
    const token = match[1] ?? (isLone ? LONE_TOKEN : `var${++position}`);
    const index = indexes.get(token) ?? indexes.size;
    indexes.set(token, index);
    literals.push(body.slice(end, match.index));
    slots.push(index);
    limits.push(match[1] === undefined ? MAX_DLT_VALUE_LENGTH : null);
    end = match.index + match[0].length;
  }
  literals.push(body.slice(end));
  return Object.freeze({
    tokens: Object.freeze([...indexes.keys()]),
    literals: Object.freeze(literals),
    slots: Object.freeze(slots),
    limits: Object.freeze(limits),
    lone: isLone && !indexes.has(FIRST_POSITION) ? LONE_TOKEN : null,
  });
}

/**
 * Renders a template. `message` is the value of the only token if the variables do not contain it, and is ignored
 * otherwise. Placeholders inside values are not expanded. `missing` lists the tokens without a value, in template
 * order.
 */
export function renderTemplate(
  template: ParsedTemplate,
  variables: ReadonlyMap<string, string>,
  message?: string,
): RenderedTemplate {
  const values: string[] = [];
  const missing: string[] = [];
  for (const token of template.tokens) {
    const value =
      variables.get(token) ??
      (token === template.lone ? variables.get(FIRST_POSITION) : undefined) ??
      (template.tokens.length === 1 ? message : undefined);
    if (value === undefined) missing.push(token);
    else values.push(value);
  }
  if (missing.length > 0) return { missing };

  let body = template.literals[0] ?? '';
  for (let i = 0; i < template.slots.length; i++) {
    body += (values[template.slots[i] ?? -1] ?? '') + (template.literals[i + 1] ?? '');
    if (body.length > MAX_BODY_UNITS) return { tooLong: true };
  }
  return body.length > MAX_BODY_UNITS ? { tooLong: true } : { body };
}
