import type { FormField } from '@heliograph/bot-catalog';
import { isJsonObject } from '@heliograph/platform';
import { readAnswer } from './read-answer';

export interface Answer {
  key: string;
  label: string;
  value: string | number;
}

export interface FieldProblem {
  key: string;
  /** What to enter. */
  message: string;
}

/**
 * Holds answers against the fields of a form. In the order of the form; what was left empty is left out, and keys that
 * the form does not have are ignored. Answers that are no object count as none.
 */
export function validateAnswers(
  fields: readonly FormField[],
  answers: unknown,
): { answers: Answer[] } | { problems: FieldProblem[] } {
  const given = isJsonObject(answers) ? answers : {};
  const read: Answer[] = [];
  const problems: FieldProblem[] = [];
  for (const field of fields) {
    const { key, label, required } = field;
    const value = Object.hasOwn(given, key) ? given[key] : null;
    if (isEmpty(value)) {
      if (required) problems.push({ key, message: 'This field is required. Fill it in.' });
      continue;
    }
    const answer = readAnswer(field, value);
    if ('wrong' in answer) problems.push({ key, message: answer.wrong });
    else read.push({ key, label, value: answer.value });
  }
  if (problems.length > 0 || !isJsonObject(answers)) return { problems };
  return { answers: read };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
