const MAX_CHARACTERS = 500;

/** Prepares a text of the provider for storage, logs and responses: one line, bounded, without the secret. */
export function oneLine(text: string, secret: string): string {
  const clean = text
    .slice(0, 4 * MAX_CHARACTERS)
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
    .trim();
  const withoutSecret = secret === '' ? clean : clean.replaceAll(secret, '…');
  return withoutSecret.slice(0, MAX_CHARACTERS).toWellFormed();
}
