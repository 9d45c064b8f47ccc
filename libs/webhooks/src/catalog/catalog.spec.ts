import Ajv2020 from 'ajv/dist/2020';
import { CATALOG } from './catalog';
import { EVENT_TYPES, isEventPattern } from './event-types';

describe('the catalog of events', () => {
  it.each(CATALOG.map(({ type }) => [type]))('has for %s an example that matches its schema', (type) => {
    const { schema, example } = CATALOG.find((entry) => entry.type === type)!;
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(validate({ ...example, data: {} })).toBe(false);
  });

  it('lists every type once', () => expect(CATALOG.map(({ type }) => type)).toEqual(Object.keys(EVENT_TYPES)));

  it('accepts types, groups and "*" as patterns', () => {
    expect(['*', 'sms.*', 'chatapp.message.*', 'lead.captured'].every(isEventPattern)).toBe(true);
    expect(['', 'sms', '*.sms', 'sms.**', 'sms.unknown', 'nothing.*', 1, null].some(isEventPattern)).toBe(false);
  });
});
