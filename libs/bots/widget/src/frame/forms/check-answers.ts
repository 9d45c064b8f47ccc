import type { FieldError, FormField } from '../api/records';
import type { Strings } from '../strings/en';
import { wellFormed } from '../text/well-formed';

const EMAIL = /^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{2}:\d{2}(?::\d{2})?$/;

/** Normalizes an answer for the server: trims it, replaces a decimal comma by a point, adds a protocol to a URL. */
export function normalAnswer(field: FormField, value: string): string {
  const text = wellFormed(value).trim();
  if (field.type === 'number') return text.replace(/^([+-]?\d*),(\d+)$/, '$1.$2');
  if (field.type === 'url' && text !== '' && !/^[a-z][a-z\d+.-]*:/i.test(text)) return `https://${text}`;
  return text;
}

/** The missing or invalid answers, in the order of the fields. The server validates all answers again. */
export function checkAnswers(
  fields: readonly FormField[],
  answers: Readonly<Record<string, string>>,
  strings: Strings,
): FieldError[] {
  return fields.flatMap((field) => {
    const message = mistakeIn(field, answers[field.key] ?? '', strings);
    return message === null ? [] : [{ key: field.key, message }];
  });
}

function mistakeIn(field: FormField, answer: string, strings: Strings): string | null {
  if (answer === '') return field.required ? strings.required : null;
  switch (field.type) {
    case 'email':
      return EMAIL.test(answer) ? null : strings.badEmail;
    case 'phone':
    case 'tel':
    case 'mobile':
      return isPhone(answer) ? null : strings.badPhone;
    case 'url':
      return isWebAddress(answer) ? null : strings.badUrl;
    case 'number':
      return NUMBER.test(answer) ? null : strings.badNumber;
    case 'date':
      return DATE.test(answer) && !Number.isNaN(Date.parse(answer)) ? null : strings.badDate;
    case 'time':
      return TIME.test(answer) ? null : strings.badTime;
    case 'select':
      return field.options === undefined || field.options.includes(answer) ? null : strings.badOption;
    default:
      return null;
  }
}

function isPhone(answer: string): boolean {
  const digits = answer.replace(/\D/g, '').length;
  return /^[+(]?[\d\s().-]+$/.test(answer) && digits >= 5 && digits <= 20;
}

function isWebAddress(answer: string): boolean {
  try {
    const { protocol, hostname } = new URL(answer);
    return /^https?:$/.test(protocol) && hostname.includes('.');
  } catch {
    return false;
  }
}
