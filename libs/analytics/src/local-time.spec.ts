import { isTimeZone, startOf, startOfNext, type Interval } from './local-time';

describe('local time', () => {
  const starts = (interval: Interval, zone: string, from: string, count: number) => {
    const found: string[] = [];
    let at = startOf(interval, zone, new Date(from));
    for (let index = 0; index < count; index++, at = startOfNext(interval, zone, at)) found.push(at.toISOString());
    return found;
  };

  it('has days that start at local midnight, with 23 and 25 hours when daylight saving time changes', () => {
    expect(starts('day', 'Europe/Berlin', '2026-03-28T12:00:00Z', 4)).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-03-30T22:00:00.000Z',
    ]);
    expect(starts('day', 'America/New_York', '2026-11-01T12:00:00Z', 2)).toEqual([
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T05:00:00.000Z',
    ]);
  });

  it('has days without midnight that start at their first instant, and days with two midnights that start at the first', () => {
    // In Cairo the clock changed from 00:00 to 01:00 on 2024-04-26; in Havana it changed from 01:00 back to 00:00 on
    // 2024-11-03.
    expect(starts('day', 'Africa/Cairo', '2024-04-26T12:00:00Z', 2)).toEqual([
      '2024-04-25T22:00:00.000Z',
      '2024-04-26T21:00:00.000Z',
    ]);
    expect(starts('day', 'America/Havana', '2024-11-03T12:00:00Z', 2)).toEqual([
      '2024-11-03T04:00:00.000Z',
      '2024-11-04T05:00:00.000Z',
    ]);
  });

  it.each([
    [
      'Pacific/Apia',
      '2011-12-30T09:00:00Z',
      ['2011-12-29T10:00:00.000Z', '2011-12-30T10:00:00.000Z', '2011-12-31T10:00:00.000Z'],
    ],
    [
      'Pacific/Fakaofo',
      '2011-12-30T10:00:00Z',
      ['2011-12-29T11:00:00.000Z', '2011-12-30T11:00:00.000Z', '2011-12-31T11:00:00.000Z'],
    ],
    [
      'Pacific/Kwajalein',
      '1993-08-21T11:00:00Z',
      ['1993-08-20T12:00:00.000Z', '1993-08-21T12:00:00.000Z', '1993-08-22T12:00:00.000Z'],
    ],
  ])('has no day of the date that %s skipped', (zone, from, days) => {
    expect(starts('day', zone, from, 3)).toEqual(days);
  });

  it('has starts that always advance, through all years and zones with changes of their offset', () => {
    for (const zone of [
      'Pacific/Apia',
      'Pacific/Kiritimati',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Africa/Casablanca',
    ]) {
      for (const [interval, count] of [
        ['day', 800],
        ['month', 600],
      ] as const) {
        const found = starts(interval, zone, '1994-01-01T00:00:00Z', count);
        expect([zone, found]).toEqual([zone, [...new Set(found)].toSorted()]);
      }
    }
  });

  it('has months that start at local midnight of their first day, including the end of a year', () => {
    expect(starts('month', 'Asia/Kathmandu', '2026-12-31T18:00:00Z', 3)).toEqual([
      '2026-11-30T18:15:00.000Z',
      '2026-12-31T18:15:00.000Z',
      '2027-01-31T18:15:00.000Z',
    ]);
  });

  it('has hours that start at the local hour, and daylight saving time skips and repeats none of them', () => {
    expect(starts('hour', 'Asia/Kolkata', '2026-01-01T10:10:00Z', 2)).toEqual([
      '2026-01-01T09:30:00.000Z',
      '2026-01-01T10:30:00.000Z',
    ]);
    expect(starts('hour', 'Europe/Berlin', '2026-10-25T00:00:00Z', 3)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
  });

  it.each(Intl.supportedValuesOf('timeZone'))('has starts in %s that are multiples of a quarter hour', (zone) => {
    for (const interval of ['hour', 'day', 'month'] as const) {
      for (const start of starts(interval, zone, '2026-03-25T00:00:00Z', 10)) {
        expect(new Date(start).getTime() % 900_000).toBe(0);
      }
    }
  });

  it('accepts only names of IANA time zones', () => {
    expect(['UTC', 'Asia/Calcutta', 'America/Argentina/Ushuaia', 'Etc/GMT+5'].map(isTimeZone)).toEqual(
      Array(4).fill(true),
    );
    expect(['', '+05:30', 'Mars/Olympus', 'local', 7, null, `Asia/${'a'.repeat(9_000)}`].map(isTimeZone)).toEqual(
      Array(7).fill(false),
    );
  });
});
