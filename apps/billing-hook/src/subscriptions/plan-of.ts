import { fieldsOf, idOf, listOf, type Fields } from '../settling/json-fields';
import { DEFAULT_PLAN } from '../subscription-state/payer-aggregate';

const PLAN_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

/**
 * Returns the plan of the first mapped price of a subscription object (the lookup key takes precedence over the id),
 * otherwise `metadata.plan`, otherwise the default. Returns null if the object contains neither a price nor a plan.
 */
export function planOf(subscription: Fields, plansByPrice: Map<string, string>): string | null {
  const prices = pricesOf(subscription);
  for (const price of prices) {
    for (const name of [price['lookup_key'], price['id']]) {
      const plan = typeof name === 'string' ? plansByPrice.get(name) : undefined;
      if (plan !== undefined) return plan;
    }
  }
  const named = fieldsOf(subscription['metadata'])['plan'];
  if (typeof named === 'string' && PLAN_NAME.test(named)) return named;
  return prices.length > 0 ? DEFAULT_PLAN : null;
}

/** Reads the prices. Newer objects have prices on their items, older objects have a plan. Each is an object or an id. */
function pricesOf(subscription: Fields): Fields[] {
  const items = listOf(fieldsOf(subscription['items'])['data']).map(fieldsOf);
  return [...items, subscription]
    .flatMap(({ price, plan }) => [price, plan])
    .flatMap((price) => {
      const id = idOf(price);
      return id === null ? [] : [{ lookup_key: fieldsOf(price)['lookup_key'], id }];
    });
}
