const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** The distinct placeholders (numbers or names) of a text, in order of appearance. */
export function placeholdersIn(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name))];
}

export function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, ' ');
}

export function startsOrEndsWithPlaceholder(text: string): boolean {
  return /^\s*\{\{\w+\}\}|\{\{\w+\}\}\s*$/.test(text);
}
