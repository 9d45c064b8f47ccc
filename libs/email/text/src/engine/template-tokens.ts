import { Liquid, Token, Tokenizer } from 'liquidjs';

/** Returns every token that is reachable from parsed templates or arguments. Visits each object once. */
export function* tokensIn(parsed: readonly unknown[]): Generator<Token> {
  const seen = new Set<unknown>();
  const open: unknown[] = [...parsed];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    if (node instanceof Liquid || node instanceof Tokenizer) continue;
    if (node instanceof Token) yield node;
    open.push(...(Object.values(node) as unknown[]));
  }
}
