import { valueProblem, type PlaceholderKind } from './placeholder-kinds';
import { MAX_BODY_UNITS } from './segment-count';

/** A parsed template body. Immutable, so that it can be cached and shared. */
export interface ParsedTemplate {
  /** The distinct variables, in order of first appearance. */
  readonly tokens: readonly string[];
  /** For each token, the names under which its value may be sent: the token itself, then its aliases. */
  readonly names: readonly (readonly string[])[];
  /** The texts around the placeholders; always one more than there are placeholders. */
  readonly literals: readonly string[];
  /** For each placeholder, the index of its token. */
  readonly slots: readonly number[];
  /** For each placeholder, the kind of its value; null if any text of any length is valid. */
  readonly kinds: readonly (PlaceholderKind | null)[];
}

/** A value that its placeholder does not accept. `problem` is the end of a sentence. */
export interface InvalidValue {
  token: string;
  placeholder: string;
  problem: string;
}

/** `tooLong`: the body exceeds the maximum number of segments in every encoding. */
export type RenderedTemplate =
  { body: string } | { missing: string[] } | { invalid: InvalidValue[] } | { tooLong: true };

/**
 * `{{token}}`, optionally with spaces inside, and the placeholders of DLT registries in any case. A token consists of
 * letters, digits and marks of any script, underscore, hyphen and dot. The character classes are disjoint, so matching
 * takes linear time.
 */
const PLACEHOLDER =
  /\{\{[ \t]*([\p{L}\p{M}\p{N}_.-]+)[ \t]*\}\}|\{#[ \t]*(var|number|numeric|alphanumeric|url|urlott|cbn|email)[ \t]*#\}/giu;

/**
 * Parses a template body. The placeholders of DLT registries become tokens that are named after their kind: `numeric`,
 * or `numeric1`, `numeric2` and so on if there are several. Anything else that resembles a placeholder is text.
 */
export function parseTemplate(body: string): ParsedTemplate {
  const matches = [...body.matchAll(PLACEHOLDER)];
  const kinds = matches.map((match) => kindOf(match[2]));
  const ofRegistry = kinds.filter((kind) => kind !== null);
  const counts = new Map<PlaceholderKind, number>();
  for (const kind of ofRegistry) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const numbers = new Map<PlaceholderKind, number>();
  const namesOf = new Map<string, string[]>();
  const literals: string[] = [];
  const slotTokens: string[] = [];
  let positions = 0;
  let end = 0;
  for (const [index, match] of matches.entries()) {
    const kind = kinds[index] ?? null;
    let token = match[1] ?? '';
    if (kind !== null) {
      const number = (numbers.get(kind) ?? 0) + 1;
      numbers.set(kind, number);
      positions++;
      const isOnly = counts.get(kind) === 1;
      token = isOnly ? kind : `${kind}${number}`;
      const aliases = isOnly ? [`${kind}1`] : [];
      // A template that was registered with {#var#} before keeps the names of its variables.
      if (!counts.has('var')) aliases.push(`var${positions}`, ...(ofRegistry.length === 1 ? ['var'] : []));
      namesOf.set(token, [...(namesOf.get(token) ?? [token]), ...aliases]);
    } else if (!namesOf.has(token)) namesOf.set(token, [token]);
    literals.push(body.slice(end, match.index));
    slotTokens.push(token);
    end = match.index + match[0].length;
  }
  literals.push(body.slice(end));
  const tokens = [...namesOf.keys()];
  const indexes = new Map(tokens.map((token, index) => [token, index]));
  return Object.freeze({
    tokens: Object.freeze(tokens),
    names: Object.freeze(
      tokens.map((token) =>
        Object.freeze((namesOf.get(token) ?? []).filter((name) => name === token || !namesOf.has(name))),
      ),
    ),
    literals: Object.freeze(literals),
    slots: Object.freeze(slotTokens.map((token) => indexes.get(token) ?? 0)),
    kinds: Object.freeze(kinds),
  });
}

function kindOf(name: string | undefined): PlaceholderKind | null {
  if (name === undefined) return null;
  const lower = name.toLowerCase();
  return lower === 'number' ? 'numeric' : (lower as PlaceholderKind);
}

/** The tokens of which `has` is false for each name. */
export function missingTokens({ tokens, names }: ParsedTemplate, has: (name: string) => boolean): string[] {
  return tokens.filter((_, index) => !names[index]?.some(has));
}

/**
 * Renders a template. `message` is the value of the only token if the variables do not contain it, and is ignored
 * otherwise. Placeholders inside values are not expanded. `missing` lists the tokens without a value, in template
 * order; `invalid` lists the values that are too long or not of the kind of their placeholder.
 */
export function renderTemplate(
  template: ParsedTemplate,
  variables: ReadonlyMap<string, string>,
  message?: string,
): RenderedTemplate {
  const values = template.tokens.map(
    (_, index) => valueOf(template, index, variables) ?? (template.tokens.length === 1 ? message : undefined),
  );
  const missing = template.tokens.filter((_, index) => values[index] === undefined);
  if (missing.length > 0) return { missing };
  const invalid = problemsOf(template, values);
  if (invalid.length > 0) return { invalid };

  let body = template.literals[0] ?? '';
  for (let i = 0; i < template.slots.length; i++) {
    body += (values[template.slots[i] ?? -1] ?? '') + (template.literals[i + 1] ?? '');
    if (body.length > MAX_BODY_UNITS) return { tooLong: true };
  }
  return body.length > MAX_BODY_UNITS ? { tooLong: true } : { body };
}

/** The given values that are too long or not of the kind of their placeholder. */
export function invalidValues(template: ParsedTemplate, variables: ReadonlyMap<string, string>): InvalidValue[] {
  return problemsOf(
    template,
    template.tokens.map((_, index) => valueOf(template, index, variables)),
  );
}

function valueOf({ names }: ParsedTemplate, token: number, variables: ReadonlyMap<string, string>): string | undefined {
  const name = names[token]?.find((known) => variables.has(known));
  return name === undefined ? undefined : variables.get(name);
}

function problemsOf({ kinds, slots, tokens }: ParsedTemplate, values: readonly (string | undefined)[]): InvalidValue[] {
  return kinds.flatMap((kind, slot) => {
    const index = slots[slot] ?? -1;
    const value = values[index];
    const problem = kind === null || value === undefined ? null : valueProblem(kind, value);
    return problem === null ? [] : [{ token: tokens[index] ?? '', placeholder: `{#${kind}#}`, problem }];
  });
}
