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

describe('the content of an event', () => {
  it.each(['invoice.created', 'customer.subscription.trial_will_end', 'constructor', '__proto__', ''])(
    'of the type %j is none',
    (type) => {
      expect(content(type, { id: 'x' })).toEqual({ ignored: 'unknown type' });
    },
  );

  it.each(TYPES)('of the type %s is none without an object that has an id', (type) => {
    for (const object of [{}, { id: 7 }, { id: '' }, null, 'x', []]) {
      expect(content(type, object)).toEqual({ ignored: 'unreadable object' });
    }
  });

  it.each([
    ['on the invoice', { subscription: 'sub_1' }],
    ['expanded', { subscription: { id: 'sub_1' } }],
    ['below its parent', { parent: { subscription_details: { subscription: 'sub_1' } } }],
  ])('finds the subscription of a failure %s', (_where, object) => {
    expect(content('invoice.payment_failed', { id: 'in_1', ...object })).toMatchObject({
      event: { kind: 'failure', invoiceId: 'in_1', subscriptionId: 'sub_1' },
    });
  });

  it('takes the first of several prices that is mapped', () => {
    const items = { data: [{ price: { id: 'addon' } }, { price: 'price_1' }] };
    expect(content('customer.subscription.updated', { id: 's', status: 'active', items })).toMatchObject({
      event: { plan: 'gold' },
    });
  });

  it('has a plan from the beginning of a subscription on, and of a later change only what it names', () => {
    const object = { id: 's', status: 'active' };
    expect(content('customer.subscription.created', object)).toMatchObject({ event: { plan: 'pro' } });
    expect(content('customer.subscription.updated', object)).toMatchObject({ event: { plan: null } });
  });

  it('adds up the taxes of an invoice', () => {
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
  ])('takes the page to pay on from %s as %s', (url, expected) => {
    expect(content('invoice.payment_failed', { id: 'in_1', hosted_invoice_url: url })).toMatchObject({
      invoice: { hostedUrl: expected },
    });
  });

  it('can be read from whatever JSON an object holds', () => {
    const wild = fc.dictionary(
      fc.constantFrom(
        ...['status', 'items', 'data', 'price', 'plan', 'metadata', 'lines', 'id', 'amount', 'quantity', 'currency'],
        ...['customer_address', 'line1', 'parent', 'total_taxes', 'period', 'created', 'credit_type', 'credits'],
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
