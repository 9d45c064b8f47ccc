import fc from 'fast-check';
import { campaignsMigrations } from './migration-set';
import { createTestDatabase, undoMigrations } from '@heliograph/testing';
import { RequestValidationPipe, V1Request } from '@heliograph/service-kit';
import { V1EstimateFields } from './campaign.dto';
import { parsePersonalized, personalize } from './running/personalization';
import { isOpen, nextOpening } from './running/send-window';
import { timeZoneOf } from './running/time-zone-of';

@V1Request()
class CampaignRequest extends V1EstimateFields {}

const validate = (fields: object): unknown =>
  new RequestValidationPipe().transform(
    { audience: { filter: {} }, ...fields },
    { type: 'body', metatype: CampaignRequest },
  );

describe('a personalized text', () => {
  const render = (text: string, variables: Record<string, unknown>) => personalize(parsePersonalized(text), variables);

  it.each([
    ['Hello {{first_name}}', { first_name: 'Ann' }, 'Hello Ann'],
    ['{{ attributes.plan }}/{{attributes.seats}}', { attributes: { plan: 'pro', seats: 3 } }, 'pro/3'],
    ['Hello {{ first_name | default: "there" }}!', { first_name: null }, 'Hello there!'],
    ["{{ first_name | default: 'you' }}", { first_name: '' }, 'you'],
    ['{{ constructor }}{{ attributes.constructor }}', { attributes: {} }, ''],
    ['{{ attributes }}', { attributes: { a: 1 } }, ''],
    ['no placeholder } {', {}, 'no placeholder } {'],
  ])('of %j with %j is %j', (text, variables, expected) => {
    expect(render(text, variables)).toBe(expected);
  });

  it.each(['{{ 1 + 1 }}', '{{ first_name', '{{ first_name | upcase }}', '{{}}', '{{ a.b.c }}'])(
    'cannot be %j',
    (text) => {
      expect(() => parsePersonalized(text)).toThrow('is not valid');
    },
  );

  it('contains values unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(render('<{{ first_name | default: "" }}>', { first_name: value })).toBe(`<${value}>`);
      }),
    );
  });
});

describe('a send window', () => {
  const at = (time: string) => new Date(time);
  const day = { from: '09:00', until: '21:00' };
  const night = { from: '22:00', until: '06:00' };

  it.each([
    [day, 'UTC', '2026-01-01T09:00:00Z', true],
    [day, 'UTC', '2026-01-01T08:59:59Z', false],
    [day, 'UTC', '2026-01-01T21:00:00Z', false],
    [day, 'Asia/Kolkata', '2026-01-01T03:30:00Z', true],
    [night, 'UTC', '2026-01-01T23:00:00Z', true],
    [night, 'UTC', '2026-01-01T05:59:00Z', true],
    [night, 'UTC', '2026-01-01T06:00:00Z', false],
    [{ from: '00:00', until: '00:00' }, 'UTC', '2026-01-01T12:00:00Z', true],
  ])('of %j in %s at %s is open: %s', (window, zone, time, open) => {
    expect(isOpen(window, zone, at(time))).toBe(open);
  });

  it.each([
    [day, 'UTC', '2026-01-01T10:00:30Z', '2026-01-01T10:00:30.000Z'],
    [day, 'UTC', '2026-01-01T21:30:10Z', '2026-01-02T09:00:00.000Z'],
    [day, 'Asia/Kolkata', '2026-01-01T20:00:00Z', '2026-01-02T03:30:00.000Z'],
    // Daylight saving time starts in this night, and ends in the other one.
    [day, 'Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T07:00:00.000Z'],
    [day, 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T08:00:00.000Z'],
    // 02:30 does not exist on this day.
    [{ from: '02:30', until: '04:00' }, 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T01:00:00.000Z'],
  ])('of %j in %s after %s opens at %s', (window, zone, time, opening) => {
    expect(nextOpening(window, zone, at(time)).toISOString()).toBe(opening);
  });

  it.each([
    [{ from: '09:00', until: '21:00', time_zone: 'Asia/Kolkata' }, null],
    [{ from: '09:00', until: '21:00' }, null],
    [{ from: '9:00', until: '21:00' }, 'send_window.from'],
    [{ from: '09:00', until: '24:00' }, 'send_window.until'],
    [{ from: '09:00', until: '21:00', time_zone: '+05:30' }, 'send_window.time_zone'],
    ['09:00', 'send_window must be an object'],
  ])('of %j has the error %j', (window, fault) => {
    if (fault === null) expect(validate({ send_window: window })).toMatchObject({ send_window: window });
    else expect(() => validate({ send_window: window })).toThrow(fault);
  });
});

describe('the time zone of a contact', () => {
  const nothing = { timeZone: null, country: null, phone: null };

  it.each([
    [{ ...nothing, timeZone: 'Europe/Paris', country: 'IN' }, 'Europe/Paris'],
    [{ ...nothing, country: 'US', phone: '+919811111111' }, 'America/New_York'],
    [{ ...nothing, phone: '+4915112345678' }, 'Europe/Berlin'],
    [nothing, 'UTC'],
  ])('of %j is %s', (contact, zone) => {
    expect(timeZoneOf(contact)).toBe(zone);
  });

  it('is derived from the country of its number', () => {
    const zone = timeZoneOf({ ...nothing, phone: '+919811111111' });
    expect(['Asia/Kolkata', 'Asia/Calcutta']).toContain(zone);
  });
});

describe('an audience', () => {
  it.each([
    [{ filter: {} }, null],
    [{ group_ids: [], contact_ids: null, filter: { consent: 'opted_in' } }, null],
    [{}, 'group_ids, contact_ids or filter'],
    [{ group_ids: [] }, 'group_ids, contact_ids or filter'],
    [{ group_ids: ['x'] }, 'audience.group_ids'],
    [{ filter: { consent: 'maybe' } }, 'audience.filter.consent'],
    [{ filter: { attributes: { a: { b: 1 } } } }, 'audience.filter.attributes'],
    [{ filter: { shoe_size: 4 } }, 'audience.filter.shoe_size'],
    [null, 'audience must be an object'],
  ])('of %j has the error %j', (audience, fault) => {
    if (fault === null) expect(validate({ audience })).toMatchObject({ audience });
    else expect(() => validate({ audience })).toThrow(fault);
  });
});

it('the tables of campaigns can be removed by their migration', async () => {
  const database = await createTestDatabase([]);
  expect(await undoMigrations(database.url, [campaignsMigrations])).toEqual([]);
  await database.drop();
});
