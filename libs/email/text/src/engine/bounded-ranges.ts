import { evalToken, Token, TokenKind, toValue, TypeGuards, type Context, type Template } from 'liquidjs';
import { tokensIn } from './template-tokens';

const MAX_RANGE_BOUND = 10_000;

/**
 * Checks the bounds of every range when it is rendered, because the loop of liquidjs never ends for bounds beyond the
 * precision of numbers. The template itself stays valid, because the bounds can depend on variables.
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
    // Makes the variables of the bound visible to the search for variables.
    bound,
    *evaluate(context: Context): Generator<unknown, unknown, unknown> {
      return checked(toValue(yield evalToken(bound, context)));
    },
  };
  // The library evaluates a token of this kind through `initial`.
  const fields = { kind: TokenKind.FilteredValue, filters: [], initial, input, begin, end };
  return Object.assign(Object.create(Token.prototype) as T, fields);
}

function checked(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) throw new Error('a range goes from number to number');
  // A bound that is not a number results in an empty range.
  if (Math.abs(Number(value)) > MAX_RANGE_BOUND) throw new Error(`a range goes to at most ${MAX_RANGE_BOUND}`);
  return value;
}
