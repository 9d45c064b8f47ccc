import { evalToken, Token, TokenKind, toValue, TypeGuards, type Context, type Template } from 'liquidjs';
import { tokensIn } from './template-tokens';

export const MAX_RANGE_BOUND = 10_000;

/**
 * Has the bounds of every range looked at when it is rendered: liquidjs counts up one by one, without end where the bounds
 * are beyond what a number can tell apart. The template stays valid; what it makes of its variables decides.
 */
export function boundRanges(templates: readonly Template[]): void {
  for (const token of tokensIn(templates)) {
    if (!TypeGuards.isRangeToken(token)) continue;
    token.lhs = bounded(token.lhs);
    token.rhs = bounded(token.rhs);
  }
}

function bounded<T extends Token>(bound: T): T {
  if (TypeGuards.isNumberToken(bound) && Math.abs(bound.content) <= MAX_RANGE_BOUND) return bound;
  const { input, begin, end } = bound;
  const initial = {
    // Whoever looks for variables finds those of the bound here.
    bound,
    *evaluate(context: Context): Generator<unknown, unknown, unknown> {
      return checked(toValue(yield evalToken(bound, context)));
    },
  };
  // What the library evaluates by asking `initial`.
  const fields = { kind: TokenKind.FilteredValue, filters: [], initial, input, begin, end };
  return Object.assign(Object.create(Token.prototype) as object, fields) as unknown as T;
}

function checked(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) throw new Error('a range goes from number to number');
  // What is no number makes an empty range.
  if (Math.abs(Number(value)) > MAX_RANGE_BOUND) throw new Error(`a range goes to at most ${MAX_RANGE_BOUND}`);
  return value;
}
