const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/** Numbers or names of the places to fill, each once, in order of appearance. Of what is no text: none. */
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
