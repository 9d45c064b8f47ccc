import type { Fact, FailureFact, SubscriptionFact } from './facts';
import { isNewer, newer, older, type Moment } from './moment';
import { meaningOf, type SubscriptionStatus } from './subscription-status';

export interface SubscriptionRegister {
  subscriptionId: string;
  status: SubscriptionStatus;
  plan: string;
  currentPeriodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  /** Of the oldest event. */
  began: Moment;
  /** Of the event that the status is from. */
  newest: Moment;
  deleted: Moment | null;
  /** Of the newest event, but its deletion, that named a plan. */
  planned: Moment | null;
  /** Of the newest event that called it active. */
  activated: Moment | null;
  paused: Moment | null;
  /** Of the newest `updated` with status active: it ends a pause, and a trial does not. */
  resumed: Moment | null;
}

export interface FailureRegister {
  eventId: string;
  invoiceId: string;
  subscriptionId: string | null;
  moment: Moment;
}

/**
 * All that is known of a payer. Everything in it is an extreme or a set, so that any order of the same events, repeats
 * among them, ends in the same.
 */
export interface Registers {
  subscriptions: SubscriptionRegister[];
  /** The newest payment. */
  paid: Moment | null;
  /** Those that nothing has settled since. */
  failures: FailureRegister[];
}

export const NOTHING_KNOWN: Registers = { subscriptions: [], paid: null, failures: [] };

/** Without anything that would name one. */
export const DEFAULT_PLAN = 'pro';

/** What is known after one more fact. The same object, where the fact says nothing new. */
export function advance(registers: Registers, fact: Fact): Registers {
  switch (fact.kind) {
    case 'subscription':
      return withoutSettled(withSubscription(registers, fact));
    case 'payment':
      return isNewer(fact.moment, registers.paid) ? withoutSettled({ ...registers, paid: fact.moment }) : registers;
    case 'failure':
      return withFailure(registers, fact);
  }
}

function withSubscription(registers: Registers, fact: SubscriptionFact): Registers {
  const { subscriptions } = registers;
  const before = subscriptions.find(({ subscriptionId }) => subscriptionId === fact.subscriptionId);
  const after = merge(before ?? unknownSubscription(fact), fact);
  if (before && isSame(before, after)) return registers;
  return { ...registers, subscriptions: [...subscriptions.filter((each) => each !== before), after] };
}

function isSame(before: SubscriptionRegister, after: SubscriptionRegister): boolean {
  return Object.entries(after).every(([name, value]) => before[name as keyof SubscriptionRegister] === value);
}

function unknownSubscription({ subscriptionId, status, moment }: SubscriptionFact): SubscriptionRegister {
  return {
    subscriptionId,
    status,
    plan: DEFAULT_PLAN,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    began: moment,
    newest: '',
    deleted: null,
    planned: null,
    activated: null,
    paused: null,
    resumed: null,
  };
}

function merge(register: SubscriptionRegister, fact: SubscriptionFact): SubscriptionRegister {
  const { moment, change, status, plan } = fact;
  const deletes = change === 'deleted';
  const pauses = change === 'paused' || (status === 'paused' && !deletes);
  const activates = (change === 'created' || change === 'updated') && meaningOf(status) === 'active';
  const resumes = change === 'updated' && status === 'active';
  return {
    ...register,
    ...(isNewer(moment, register.newest)
      ? {
          newest: moment,
          status,
          currentPeriodEnd: fact.currentPeriodEnd,
          cancelAtPeriodEnd: fact.cancelAtPeriodEnd,
        }
      : {}),
    ...(plan !== null && !deletes && isNewer(moment, register.planned) ? { planned: moment, plan } : {}),
    began: older(register.began, moment),
    deleted: deletes ? newer(register.deleted, moment) : register.deleted,
    activated: activates ? newer(register.activated, moment) : register.activated,
    paused: pauses ? newer(register.paused, moment) : register.paused,
    resumed: resumes ? newer(register.resumed, moment) : register.resumed,
  };
}

function withFailure(registers: Registers, { eventId, invoiceId, subscriptionId, moment }: FailureFact): Registers {
  const failure = { eventId, invoiceId, subscriptionId, moment };
  const isKnown = registers.failures.some((each) => each.eventId === eventId);
  if (isKnown || isSettled(failure, registers)) return registers;
  return { ...registers, failures: [...registers.failures, failure] };
}

function withoutSettled(registers: Registers): Registers {
  const failures = registers.failures.filter((failure) => !isSettled(failure, registers));
  return failures.length === registers.failures.length ? registers : { ...registers, failures };
}

/** A newer payment settles it, and so does the processor when it calls the subscription active again. */
function isSettled({ moment, subscriptionId }: FailureRegister, { paid, subscriptions }: Registers): boolean {
  return (
    isNewer(paid, moment) ||
    subscriptions.some(
      (each) => (subscriptionId === null || each.subscriptionId === subscriptionId) && isNewer(each.activated, moment),
    )
  );
}
