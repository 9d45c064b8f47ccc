import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import * as contracts from './index';
import { defineEvent, parseEvent, type EventContract } from './event-contract';
import { isMandatoryEvent, QUEUES, STORED_QUEUES } from './queues';

const contract = defineEvent({ type: 'thing.done', version: 2, mandatory: false, schema: z.object({ n: z.int() }) });
const event = () => ({
  id: randomUUID(),
  type: 'thing.done',
  version: 2,
  time: '2026-01-01T00:00:00.000Z',
  organizationId: randomUUID(),
  workspaceId: null,
  correlationId: 'call-1',
  data: { n: 1 },
});

describe('an event from the bus', () => {
  it('is parsed with its envelope and data', () => {
    const given = event();
    expect(parseEvent(contract, given)).toEqual(given);
  });

  it('can contain unknown fields of later versions', () => {
    expect(parseEvent(contract, { ...event(), traceId: 'x', data: { n: 1, more: true } }).data).toEqual({ n: 1 });
  });

  it.each([
    ['another type', { type: 'thing.undone' }],
    ['another version', { version: 1 }],
    ['a missing id', { id: undefined }],
    ['an id that is not a UUID', { id: '1' }],
    ['an organization that is not a UUID', { organizationId: 'acme' }],
    ['data with a different structure', { data: { n: '1' } }],
    ['missing data', { data: undefined }],
  ])('is rejected with %s', (_what, change) => {
    expect(() => parseEvent(contract, { ...event(), ...change })).toThrow();
  });

  it.each([undefined, null, 'text', 7, []])('is rejected when it is %j', (payload) => {
    expect(() => parseEvent(contract, payload)).toThrow();
  });

  it('is rejected with the expected and the actual type and version', () => {
    expect(() => parseEvent(contract, { ...event(), version: 3 })).toThrow('expected thing.done v2, got thing.done v3');
  });
});

describe('the published events', () => {
  const published = Object.values(contracts as Record<string, unknown>).filter(
    (value): value is EventContract =>
      typeof value === 'object' && value !== null && 'schema' in value && 'mandatory' in value,
  );

  it('have a unique type in the format <owner>.<event>', () => {
    const types = published.map(({ type }) => type);
    expect(types.length).toBeGreaterThanOrEqual(6);
    expect(new Set(types).size).toBe(types.length);
    for (const type of types) expect(type).toMatch(/^[a-z]+(\.[a-z_]+)+$/);
  });

  it('are mandatory jobs if a consumer must process them, and otherwise notifications', () => {
    expect(
      published
        .filter(({ mandatory }) => mandatory)
        .map(({ type }) => type)
        .sort(),
    ).toEqual([
      'billing.event.received',
      'billing.receipt.due',
      'email.due',
      'mail.requested',
      'person.erasure.requested',
      'sms.queued',
    ]);
  });

  it('have a queue if they are jobs, and every queue receives published events', () => {
    const jobs = published.filter(({ mandatory }) => mandatory).map(({ type }) => type);
    const stored = STORED_QUEUES.flatMap(({ bindings }) => bindings);
    expect(jobs.filter((type) => !isMandatoryEvent(type) && !stored.includes(type))).toEqual([]);
    const types = new Set(published.map(({ type }) => type));
    expect(QUEUES.flatMap(({ events }) => events).filter((type) => !types.has(type))).toEqual([]);
  });
});
