/** Numbers are compared by digits: `+49 1` equals `491`. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
