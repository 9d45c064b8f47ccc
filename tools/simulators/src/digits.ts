/** Numbers are compared by their digits: `+49 1` is `491`. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
