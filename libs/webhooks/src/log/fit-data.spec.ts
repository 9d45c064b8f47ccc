import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { CATALOG, exampleDataOf } from '../catalog/catalog';
import { composeBody } from './event-body';
import { fitData, MAX_EVENT_BYTES } from './fit-data';

const AT = new Date('2026-11-20T10:12:28.000Z');
const ID = '019aa0c2-5b60-7a10-8a10-3f5a1c2d4e6f';
const LONG = 'Grüße an alle '.repeat(10_000);

type Json = Record<string, unknown>;

/** Replaces each text and list with a much longer one as long as the schema allows it. Returns the number of replaced values. */
function inflate(event: Json, isValid: ValidateFunction, part: Json): number {
  let inflated = 0;
  for (const [name, value] of Object.entries(part)) {
    const longer =
      typeof value === 'string'
        ? LONG
        : Array.isArray(value)
          ? Array<unknown>(20_000).fill(value[0] ?? 'ann@example.com')
          : null;
    if (longer !== null) part[name] = longer;
    if (longer !== null && isValid(event)) inflated++;
    else part[name] = value;
    if (typeof value === 'object' && value !== null && part[name] === value)
      inflated += inflate(event, isValid, value as Json);
  }
  return inflated;
}

describe('the data of an event', () => {
  it.each(CATALOG.filter(({ type }) => !['credits.low'].includes(type)).map(({ type }) => [type]))(
    'have at most 64 kB and match the schema of %s, however long its texts and lists are',
    (type) => {
      const { schema, example } = CATALOG.find((entry) => entry.type === type)!;
      const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
      const huge = structuredClone(example) as { data: Json };
      expect(inflate(huge, isValid, huge.data)).toBeGreaterThan(0);
      const body = composeBody({ id: ID, type, time: AT, organizationId: ID, workspaceId: ID, data: huge.data });
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
      const event = JSON.parse(body) as { truncated: boolean };
      expect([isValid(event), isValid.errors]).toEqual([true, null]);
      expect(event.truncated).toBe(true);
    },
  );

  it.each(CATALOG.map(({ type }) => [type]))('are not changed for an ordinary %s', (type) => {
    const data = exampleDataOf(type);
    const body = composeBody({ id: ID, type, time: AT, organizationId: ID, workspaceId: ID, data });
    expect(JSON.parse(body)).toMatchObject({ data });
    expect(body).not.toContain('truncated');
  });

  it('are cut as little as necessary, and not within a character or a word', () => {
    const start = 'a '.repeat(7_995);
    const data = { id: ID, message: `${start}bob@example.com ${'more '.repeat(20_000)}`, tags: ['a'] };
    const cut = fitData(data, 60_000) as typeof data;
    expect(cut.message === `${start}…`).toBe(true);
    expect(cut).toMatchObject({ id: ID, tags: ['a'] });
    const halved = fitData({ message: `x${'😀'.repeat(30_000)}` }, 60_000) as typeof data;
    expect(halved.message.isWellFormed()).toBe(true);
    expect(fitData(data, 200_000)).toBeNull();
  });

  it('are bounded for objects of a provider with any depth and number of properties', () => {
    let deep: Json = {};
    for (let depth = 0; depth < 2_000; depth++) deep = { deep, [`name${depth}`]: 'x'.repeat(100) };
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`name${n}`, n]));
    for (const media of [deep, wide]) {
      const cut = fitData({ message: { id: ID, media } }, 60_000) as { message: { id: string } };
      expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(60_000);
      expect(cut.message.id).toBe(ID);
    }
  });
});
