import { AppError } from '@heliograph/errors';
import { toValueSync, type Template } from 'liquidjs';
import { bodyFault } from './body';
import { engineOf, parsePart } from './parse-part';
import { SandboxContext } from './engine/sandbox-context';
import { subjectFault } from './subject';
import { BoundedEmitter } from './engine/template-engine';
import { templateFault, type TemplatePart } from './engine/template-fault';
import { variableUses, type VariableUse } from './engine/template-variables';
import { UNSUBSCRIBE_PLACEHOLDER, UNSUBSCRIBE_VARIABLE } from './unsubscribe-url';
import { copyVariables, type TemplateValue } from './variable-values';

export interface EmailTemplateSource {
  subject: string | null;
  html: string | null;
  text: string | null;
}

/** A parsed template. It is immutable, so it can be cached and shared. */
export interface ParsedEmailTemplate {
  /**
   * The root names that the parts use, in order of first appearance: subject, html, text. Without `unsubscribe_url`,
   * which the service adds to html and text.
   */
  readonly variables: readonly string[];
  /** The required variables; see `variableUses`. */
  readonly required: readonly string[];
  /** The required variables of each part. */
  readonly requiredBy: Readonly<Record<TemplatePart, readonly string[]>>;
  readonly parts: Readonly<Record<TemplatePart, Template[] | null>>;
}

export interface RenderedEmail {
  subject: string | null;
  html: string | null;
  text: string | null;
}

const PARTS: readonly TemplatePart[] = ['subject', 'html', 'text'];

/**
 * Parses a Liquid template without tags that read files. Throws INVALID_TEMPLATE with part, line and column.
 */
export function parseEmailTemplate({ subject, html, text }: EmailTemplateSource): ParsedEmailTemplate {
  const parts = {
    subject: subject === null ? null : parsePart('subject', subject),
    html: html === null ? null : parsePart('html', html),
    text: text === null ? null : parsePart('text', text),
  };
  const usesOf = (part: TemplatePart): VariableUse[] =>
    variableUses(parts[part] ?? []).filter(({ name }) => part === 'subject' || name !== UNSUBSCRIBE_VARIABLE);
  const uses = PARTS.flatMap(usesOf);
  const required = (of: TemplatePart): readonly string[] => distinctNames(usesOf(of).filter((use) => !use.isOptional));
  const requiredBy = { subject: required('subject'), html: required('html'), text: required('text') };
  return Object.freeze({
    variables: distinctNames(uses),
    required: Object.freeze([...new Set(PARTS.flatMap((part) => requiredBy[part]))]),
    requiredBy: Object.freeze(requiredBy),
    parts: Object.freeze(parts),
  });
}

/**
 * Renders a template. In html, values are escaped unless the author uses `raw`; in subject and text, they are inserted
 * unchanged. All work is charged to the budget in advance, so that any template ends within about 50 ms, 100 ms at
 * most. Parts that are not requested are null, and their variables are not required. In html and text,
 * `unsubscribe_url` becomes its placeholder unless the caller passes a value. Throws MISSING_VARIABLES with every
 * required variable that is missing or null; INVALID_REQUEST for values that are not plain JSON, exceed the size limit,
 * do not fit into a subject, or result in NUL or lone surrogates; INVALID_TEMPLATE for a template that exceeds its
 * limits.
 */
export function renderEmailTemplate(
  parsed: ParsedEmailTemplate,
  variables: Record<string, unknown>,
  wanted: readonly TemplatePart[] = PARTS,
): RenderedEmail {
  const required = new Set(PARTS.filter((part) => wanted.includes(part)).flatMap((part) => parsed.requiredBy[part]));
  const missing = [...required].filter((name) => !Object.hasOwn(variables, name) || (variables[name] ?? null) === null);
  if (missing.length > 0) {
    throw new AppError(
      'MISSING_VARIABLES',
      `The template needs a value in variables for: ${missing.join(', ')}. Send it, or give the template a default, such as {{ ${missing[0]} | default: "" }}.`,
    );
  }
  const values = copyVariables(variables);
  const budget = contextOf('text', values);
  const bodyValues = { ...values, [UNSUBSCRIBE_VARIABLE]: values[UNSUBSCRIBE_VARIABLE] ?? UNSUBSCRIBE_PLACEHOLDER };
  const valuesOf = (part: TemplatePart) => (part === 'subject' ? values : bodyValues);
  const render = (part: TemplatePart) =>
    wanted.includes(part) ? renderPart(part, parsed.parts[part], contextOf(part, valuesOf(part), budget)) : null;
  return { subject: render('subject'), html: render('html'), text: render('text') };
}

function renderPart(part: TemplatePart, templates: Template[] | null, context: SandboxContext): string | null {
  if (templates === null) return null;
  const emitter = new BoundedEmitter(context);
  try {
    toValueSync(engineOf(part).renderer.renderTemplates(templates, context, emitter));
  } catch (error) {
    throw templateFault(part, error);
  }
  return checkRendered(part, emitter.buffer);
}

/** Creates a separate scope for each part, because `increment` writes into it. The limits of `budget` apply. */
function contextOf(part: TemplatePart, values: Record<string, TemplateValue>, budget?: SandboxContext): SandboxContext {
  const engine = engineOf(part);
  const scope = Object.assign(Object.create(null) as object, values);
  const limits = budget === undefined ? {} : { memoryLimit: budget.memoryLimit, renderLimit: budget.renderLimit };
  return new SandboxContext(scope, engine.options, { sync: true }, { ...limits, liquid: engine });
}

/** Filters can split a character or decode to NUL, so valid values do not guarantee a valid result. */
function checkRendered(part: TemplatePart, text: string): string {
  const fault = part === 'subject' ? subjectFault(text) : bodyFault(text);
  if (fault === null) return text;
  throw new AppError('INVALID_REQUEST', `${part}: ${fault} after rendering. Correct its variables.`);
}

function distinctNames(uses: readonly { name: string }[]): readonly string[] {
  return Object.freeze([...new Set(uses.map((use) => use.name))]);
}
