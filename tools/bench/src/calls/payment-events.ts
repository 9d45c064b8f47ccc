import { benchCustomer } from '@heliograph/bench-data';

/** The credits of one top-up invoice. */
export const TOP_UP_CREDITS = 250;

/** One of a hundred events is a paid top-up, one of ten a failed payment. */
export function isTopUp(number: number): boolean {
  return number % 100 === 99;
}

const isFailure = (number: number): boolean => number % 10 === 4;

// Creation times lie in the past and increase with the number, as at a payment processor.
const FIRST_CREATED = Math.floor(Date.now() / 86_400_000) * 86_400 - 43_200;
const EVENTS_PER_SECOND = 20;

/** Events of about two kilobytes, as the payment processor sends them. */
export function paymentEvents(customers: number): (number: number) => string {
  const updated = compile(event('customer.subscription.updated', subscription()));
  const failed = compile(event('invoice.payment_failed', invoice(false)));
  const paid = compile(event('invoice.payment_succeeded', invoice(true)));
  return (number) => {
    const values: Values = {
      number: String(number),
      customer: benchCustomer(number % customers),
      created: String(FIRST_CREATED + Math.floor(number / EVENTS_PER_SECOND)),
    };
    return (isTopUp(number) ? paid : isFailure(number) ? failed : updated)(values);
  };
}

type Values = Record<'number' | 'customer' | 'created', string>;

/** Splits a template at its placeholders once. Times are numbers: their quotation marks are removed. */
function compile(template: object): (values: Values) => string {
  const text = JSON.stringify(template).replaceAll('"%created%"', '%created%');
  const parts = text.split(/%(number|customer|created)%/);
  return (values) => parts.map((part, index) => (index % 2 === 0 ? part : values[part as keyof Values])).join('');
}

function event(type: string, object: object): object {
  return {
    id: 'evt_bench_%number%',
    object: 'event',
    api_version: '2026-01-01',
    created: '%created%',
    data: { object, previous_attributes: { latest_invoice: 'in_1Before', updated: '%created%' } },
    livemode: true,
    pending_webhooks: 1,
    request: { id: 'req_%number%', idempotency_key: '0190a0b0-1c2d-7e3f-8a4b-%number%' },
    type,
  };
}

function price(): object {
  return {
    id: 'price_1Bench',
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: '%created%',
    currency: 'eur',
    livemode: true,
    lookup_key: 'pro_monthly',
    metadata: {},
    nickname: null,
    product: 'prod_1Bench',
    recurring: { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'exclusive',
    tiers_mode: null,
    type: 'recurring',
    unit_amount: 4_900,
    unit_amount_decimal: '4900',
  };
}

function subscription(): object {
  return {
    id: 'sub_of_%customer%',
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: true, liability: { type: 'self' } },
    billing_cycle_anchor: '%created%',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    created: '%created%',
    currency: 'eur',
    customer: '%customer%',
    default_payment_method: 'pm_1Bench',
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: { account_tax_ids: null, issuer: { type: 'self' } },
    items: {
      object: 'list',
      data: [
        {
          id: 'si_of_%customer%',
          object: 'subscription_item',
          created: '%created%',
          current_period_end: '%created%',
          current_period_start: '%created%',
          metadata: {},
          price: price(),
          quantity: 1,
          subscription: 'sub_of_%customer%',
          tax_rates: [],
        },
      ],
      has_more: false,
      total_count: 1,
      url: '/v1/subscription_items?subscription=sub_of_%customer%',
    },
    latest_invoice: 'in_bench_%number%',
    livemode: true,
    metadata: { workspace: '%customer%' },
    payment_settings: { payment_method_options: null, save_default_payment_method: 'off' },
    start_date: '%created%',
    status: 'active',
    trial_end: null,
    trial_start: null,
  };
}

function invoice(isPaid: boolean): object {
  const total = 4_900;
  return {
    id: 'in_bench_%number%',
    object: 'invoice',
    account_country: 'DE',
    account_name: 'Heliograph',
    amount_due: total,
    amount_paid: isPaid ? total : 0,
    amount_remaining: isPaid ? 0 : total,
    attempt_count: 1,
    attempted: true,
    billing_reason: isPaid ? 'manual' : 'subscription_cycle',
    collection_method: 'charge_automatically',
    created: '%created%',
    currency: 'eur',
    customer: '%customer%',
    customer_address: { city: 'Berlin', country: 'DE', line1: 'Beispielstr. 1', postal_code: '10115', state: null },
    customer_email: 'books@bench.example',
    customer_name: 'Bench GmbH',
    default_payment_method: null,
    discounts: [],
    due_date: null,
    hosted_invoice_url: 'https://pay.processor.example/i/in_bench_%number%',
    invoice_pdf: 'https://pay.processor.example/i/in_bench_%number%/pdf',
    lines: {
      object: 'list',
      data: [
        {
          id: 'il_%number%',
          object: 'line_item',
          amount: total,
          currency: 'eur',
          description: isPaid ? 'SMS credits' : 'Pro, one month',
          discount_amounts: [],
          invoice: 'in_bench_%number%',
          metadata: isPaid ? { credit_type: 'sms', credits: String(TOP_UP_CREDITS) } : {},
          period: { end: '%created%', start: '%created%' },
          quantity: 1,
          pricing: { type: 'price_details', unit_amount_decimal: '4900' },
          taxes: [],
        },
      ],
      has_more: false,
      total_count: 1,
    },
    livemode: true,
    metadata: {},
    number: 'BENCH-%number%',
    parent: isPaid
      ? null
      : { type: 'subscription_details', subscription_details: { subscription: 'sub_of_%customer%', metadata: {} } },
    payment_settings: { default_mandate: null, payment_method_types: null },
    status: isPaid ? 'paid' : 'open',
    status_transitions: { finalized_at: '%created%', paid_at: isPaid ? '%created%' : null, voided_at: null },
    subtotal: total,
    total,
    total_taxes: [],
  };
}
