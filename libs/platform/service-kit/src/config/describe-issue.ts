import type { z } from 'zod';

/** The words for a problem of a value. They never quote the value, which can be a secret. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is not set';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${NOUNS[String(issue.expected)] ?? String(issue.expected)}`;
    case 'too_small':
      return describeBound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return describeBound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `has fields that do not exist: ${issue.keys.join(', ')}`;
    case 'invalid_format':
      return describeFormat(issue);
    case 'invalid_key':
    case 'invalid_element':
    case 'invalid_union':
    case 'custom':
      return 'has none of the accepted forms';
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function describeBound(origin: string, relation: string, bound: number | bigint): string {
  if (origin === 'string') return `must have ${relation} ${bound} ${bound === 1 ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set')
    return `must have ${relation} ${bound} ${bound === 1 ? 'entry' : 'entries'}`;
  return `must be ${relation} ${bound}`;
}

function describeFormat(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>): string {
  if (issue.format === 'url') return 'must be a URL';
  if (issue.format === 'email') return 'must be an email address';
  if ('includes' in issue) return `must contain ${String(issue['includes'])}`;
  return `must match ${String(issue['pattern'] ?? 'the format')}`;
}
