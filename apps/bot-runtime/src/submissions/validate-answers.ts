import type { FormField } from '@heliograph/bot-catalog';
import { isJsonObject } from '@heliograph/service-kit';
import { readAnswer } from './read-answer';

export interface Answer {
  key: string;
  label: string;
  value: string | number;
}

export interface FieldProblem {
  key: string;
  /** The instruction for the visitor. */
  message: string;
}

/**
 * Validates answers against the fields of a form. The result has the order of the form, without empty answers and
 * unknown keys. Answers that are not an object count as empty.
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
      if (required) problems.push({ key, message: 'This field is required. Enter a value.' });
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
