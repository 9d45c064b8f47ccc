import { AppError } from '@heliograph/errors';
import { Parser, Tokenizer, TypeGuards, type Liquid, type Template, type TopLevelToken } from 'liquidjs';
import { bodyFault } from './body';
import { MAX_SUBJECT_LENGTH, subjectFault } from './subject';
import { boundRanges } from './engine/bounded-ranges';
import { htmlEngine, textEngine } from './engine/template-engine';
import { faultAt, templateFault, type TemplatePart } from './engine/template-fault';
import { childrenOf } from './engine/template-variables';

/** Limit of the source of a part, in UTF-16 code units. */
export const MAX_PART_LENGTH: Readonly<Record<TemplatePart, number>> = {
  subject: MAX_SUBJECT_LENGTH,
  html: 512 * 1024,
  text: 512 * 1024,
};
/** Limit of outputs, tags and lines of `liquid` tags: the parsing time of the library grows with the square of their number. */
const MAX_TAGS = 1_000;
const MAX_TAG_LENGTH = 4_096;
const MAX_TAGS_LENGTH = 32 * 1024;
const MAX_NESTING = 30;

export function engineOf(part: TemplatePart): Liquid {
  return part === 'html' ? htmlEngine : textEngine;
}

/** Throws INVALID_TEMPLATE, which names the part as the field. The result is immutable and can be rendered many times. */
export function parsePart(part: TemplatePart, source: string): Template[] {
  const engine = engineOf(part);
  try {
    checkSource(part, source);
    const tokens = new Tokenizer(source, engine.options.operators).readTopLevelTokens(engine.options);
    checkTags(part, tokens);
    const templates = new Parser(engine).parseTokens(tokens);
    checkNesting(part, templates, 1);
    boundRanges(templates);
    return templates;
  } catch (error) {
    const { code, message } = templateFault(part, error);
    throw new AppError(code, message, { cause: error, details: { fields: [{ field: part, message }] } });
  }
}

function checkSource(part: TemplatePart, source: string): void {
  const fault = part === 'subject' ? subjectFault(source) : sourceFault(source, MAX_PART_LENGTH[part]);
  if (fault !== null) throw new AppError('INVALID_TEMPLATE', `${part}: ${fault}.`);
}

function sourceFault(source: string, maxLength: number): string | null {
  return source.length > maxLength ? `must have at most ${maxLength} characters` : bodyFault(source);
}

function checkTags(part: TemplatePart, tokens: readonly TopLevelToken[]): void {
  let count = 0;
  let length = 0;
  for (const token of tokens) {
    if (!TypeGuards.isTagToken(token) && !TypeGuards.isOutputToken(token)) continue;
    const isList = TypeGuards.isTagToken(token) && token.name === 'liquid';
    count += isList ? token.getText().split('\n').length : 1;
    length += token.size();
    if (token.size() > MAX_TAG_LENGTH) {
      throw faultAt(part, token, `a tag can have at most ${MAX_TAG_LENGTH} characters: split it`);
    }
    if (count > MAX_TAGS) throw faultAt(part, token, `a part can have at most ${MAX_TAGS} tags and outputs`);
    if (length > MAX_TAGS_LENGTH) {
      throw faultAt(part, token, `the tags of a part can have at most ${MAX_TAGS_LENGTH} characters in total`);
    }
  }
}

function checkNesting(part: TemplatePart, templates: readonly Template[], depth: number): void {
  for (const template of templates) {
    if (depth > MAX_NESTING)
      throw faultAt(part, template.token, `tags can be nested at most ${MAX_NESTING} levels deep`);
    checkNesting(part, childrenOf(template), depth + 1);
  }
}
