import fc from 'fast-check';
import { readTopUps } from '../invoices/top-ups';
import { fieldsOf } from './json-fields';
import { normalizeEvent } from './normalize-event';

const TYPES = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'invoice.payment_succeeded',
  'invoice.payment_failed',
];
const content = (type: string, object: unknown) =>
  normalizeEvent({ id: 'evt_1', type, timestamp: '1', payload: { data: { object } } }, new Map([['price_1', 'gold']]));

describe('a normalized event', () => {
  it.each(['invoice.created', 'customer.subscription.trial_will_end', 'constructor', '__proto__', ''])(
    'is ignored for the unknown type %j',
    (type) => {
      expect(content(type, { id: 'x' })).toEqual({ ignored: 'unknown type' });
    },
  );

  it.each(TYPES)('of the type %s is ignored without an object that has an id', (type) => {
    for (const object of [{}, { id: 7 }, { id: '' }, null, 'x', []]) {
      expect(content(type, object)).toEqual({ ignored: 'unreadable object' });
    }
  });

  it.each([
    ['on the invoice', { subscription: 'sub_1' }],
    ['as an expanded object', { subscription: { id: 'sub_1' } }],
    ['in its parent', { parent: { subscription_details: { subscription: 'sub_1' } } }],
  ])('of a failed payment contains the subscription %s', (_where, object) => {
    expect(content('invoice.payment_failed', { id: 'in_1', ...object })).toMatchObject({
      event: { kind: 'failure', invoiceId: 'in_1', subscriptionId: 'sub_1' },
    });
  });

  it('contains the first price that is mapped to a plan', () => {
    const items = { data: [{ price: { id: 'addon' } }, { price: 'price_1' }] };
    expect(content('customer.subscription.updated', { id: 's', status: 'active', items })).toMatchObject({
      event: { plan: 'gold' },
    });
  });

  it('has a plan when a subscription is created, and on an update only if the update names one', () => {
    const object = { id: 's', status: 'active' };
    expect(content('customer.subscription.created', object)).toMatchObject({ event: { plan: 'pro' } });
    expect(content('customer.subscription.updated', object)).toMatchObject({ event: { plan: null } });
  });

  it('contains the sum of the taxes of an invoice', () => {
    const taxed = content('invoice.payment_succeeded', { id: 'in_1', total_taxes: [{ amount: 5 }, { amount: 7 }] });
    expect(taxed).toMatchObject({ invoice: { tax: 12 } });
    const older = content('invoice.payment_succeeded', { id: 'in_1', tax: 3 });
    expect(older).toMatchObject({ invoice: { tax: 3 } });
    expect(content('invoice.payment_succeeded', { id: 'in_1' })).toMatchObject({ invoice: { tax: null } });
  });

  it.each([
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['nonsense', null],
    ['https://pay.example/i/1', 'https://pay.example/i/1'],
  ])('with the payment page %s has the URL %s', (url, expected) => {
    expect(content('invoice.payment_failed', { id: 'in_1', hosted_invoice_url: url })).toMatchObject({
      invoice: { hostedUrl: expected },
    });
  });

  it('is created from any JSON object without an error', () => {
    const wild = fc.dictionary(
      fc.constantFrom(
        'status',
        'items',
        'data',
        'price',
        'plan',
        'metadata',
        'lines',
        'id',
        'amount',
        'quantity',
        'currency',
        'customer_address',
        'line1',
        'parent',
        'total_taxes',
        'period',
        'created',
        'credit_type',
        'credits',
      ),
      fc.jsonValue({ maxDepth: 4 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), wild, wild, (type, outer, inner) => {
        const object = { ...outer, id: 'x', lines: { data: [inner, outer] }, items: { data: [inner] } };
        expect(content(type, object)).toBeDefined();
        for (const { credits } of readTopUps('in_1', fieldsOf(object)).topUps) {
          expect(Number.isSafeInteger(credits) && credits > 0 && credits <= 1e12).toBe(true);
        }
      }),
    );
  });
});
