import type { FieldType, FormField } from '@heliograph/bot-catalog';
import { FIELD_TYPES } from '@heliograph/bot-catalog';
import { anyCodePoint } from '@heliograph/testing';
import * as fc from 'fast-check';
import { validateAnswers } from './validate-answers';

const OPTIONS = ['Small', 'Large'];

function field(type: FieldType, required = true): FormField {
  return { key: 'field', label: 'Field', type, required, ...(type === 'select' ? { options: OPTIONS } : {}) };
}

/** Returns the stored value, or null if the answer is rejected. */
function valueOf(type: FieldType, given: unknown): string | number | null {
  const read = validateAnswers([field(type)], { field: given });
  return 'answers' in read ? read.answers[0]!.value : null;
}

describe('answers to a form', () => {
  it.each<[FieldType, unknown, string | number]>([
    ['text', ' Ada ', 'Ada'],
    ['text', '😀'.repeat(1_000), '😀'.repeat(1_000)],
    ['textarea', 'one\ntwo', 'one\ntwo'],
    ['textarea', 'x'.repeat(4_000), 'x'.repeat(4_000)],
    ['email', ' Ada@Example.com ', 'Ada@example.com'],
    ['phone', '+49 30 1234', '+49 30 1234'],
    ['phone', '030/901820', '030/901820'],
    ['tel', '(030) 901-820', '(030) 901-820'],
    ['mobile', '98.11.11.11.11', '98.11.11.11.11'],
    ['select', 'Large', 'Large'],
    ['date', '2024-02-29', '2024-02-29'],
    ['time', '23:59', '23:59'],
    ['time', '00:00:59', '00:00:59'],
    ['number', 3.5, 3.5],
    ['number', ' -12.50 ', -12.5],
    ['number', 0, 0],
    ['url', 'https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['url', 'HTTP://example.com', 'HTTP://example.com'],
  ])('with type %s are stored: %p', (type, given, stored) => {
    expect(valueOf(type, given)).toBe(stored);
  });

  it.each<[FieldType, unknown]>([
    ['text', 7],
    ['text', true],
    ['text', ['a']],
    ['text', { a: 1 }],
    ['text', 'a\0b'],
    ['text', 'a\ud800'],
    ['text', 'x'.repeat(1_001)],
    ['text', '😀'.repeat(1_001)],
    ['textarea', 'x'.repeat(4_001)],
    ['email', 'ada'],
    ['email', 'ada@'],
    ['email', 'Ada <ada@example.com>'],
    ['phone', '1234'],
    ['phone', '1'.repeat(21)],
    ['phone', 'call me'],
    ['phone', '++4930123456'],
    ['phone', 4930123456],
    ['select', 'Medium'],
    ['select', 'large'],
    ['date', '2023-02-29'],
    ['date', '0000-01-01'],
    ['date', '2024-13-01'],
    ['date', '01.02.2024'],
    ['date', '2024-2-1'],
    ['time', '24:00'],
    ['time', '9:00'],
    ['time', '12:60'],
    ['number', 'seven'],
    ['number', '12345678901234567890'],
    ['number', '1e5'],
    ['number', '1,5'],
    ['number', '0x10'],
    ['number', 'Infinity'],
    ['number', Number.NaN],
    ['number', '.'],
    ['url', 'example.com'],
    ['url', 'javascript:alert(1)'],
    ['url', 'ftp://example.com'],
    ['url', 'https://example.com/\u202ex'],
    ['url', 'https://example.com/\0'],
    ['url', 'https://'],
    ['url', 'https://a b'],
  ])('with type %s are rejected with an instruction: %p', (type, given) => {
    const read = validateAnswers([field(type)], { field: given });
    expect(read).toEqual({ problems: [{ key: 'field', message: expect.stringMatching(/^[A-Z].*\.$/) }] });
  });

  it.each([undefined, null, '', '  \n'])('count as empty: %p', (given) => {
    for (const type of FIELD_TYPES) {
      expect(validateAnswers([field(type)], { field: given })).toEqual({
        problems: [{ key: 'field', message: 'This field is required. Enter a value.' }],
      });
      expect(validateAnswers([field(type, false)], { field: given })).toEqual({ answers: [] });
    }
  });

  it.each([undefined, null, 'x', 7, ['a'], true])('are all missing when the body is %p', (answers) => {
    const fields = [field('text'), { ...field('text', false), key: 'optional' }];
    expect(validateAnswers(fields, answers)).toEqual({
      problems: [{ key: 'field', message: expect.any(String) }],
    });
    expect(validateAnswers([field('text', false)], answers)).toEqual({ problems: [] });
  });

  it('have the order of the form fields, without unknown keys', () => {
    const fields = ['a', 'b'].map((key) => ({ ...field('text'), key, label: key.toUpperCase() }));
    expect(validateAnswers(fields, { c: '3', b: '2', a: '1' })).toEqual({
      answers: [
        { key: 'a', label: 'A', value: '1' },
        { key: 'b', label: 'B', value: '2' },
      ],
    });
  });

  it('are never read from the prototype', () => {
    const fields = [{ ...field('text'), key: 'constructor' }];
    expect(validateAnswers(fields, {})).toHaveProperty('problems');
    expect(validateAnswers(fields, JSON.parse('{"__proto__":{"constructor":"x"}}'))).toHaveProperty('problems');
  });

  it('list every invalid field once', () => {
    const fields = [field('email'), { ...field('date'), key: 'day' }, { ...field('text'), key: 'name' }];
    const read = validateAnswers(fields, { field: 'x', day: 'y', name: 'Ada' });
    expect('problems' in read && read.problems.map(({ key }) => key)).toEqual(['field', 'day']);
  });

  it('never cause an exception, and contain only values that the database can store', () => {
    const types = fc.constantFrom(...FIELD_TYPES);
    const value = fc.oneof(
      fc.anything(),
      fc.string({ unit: anyCodePoint }),
      fc.webUrl(),
      fc.emailAddress(),
      fc.double(),
    );
    fc.assert(
      fc.property(types, value, (type, given) => {
        const read = validateAnswers([field(type, false)], { field: given });
        const stored = 'answers' in read ? JSON.stringify(read.answers) : '';
        expect(stored).not.toContain('\\u0000');
        expect(stored.isWellFormed()).toBe(true);
        if (!('answers' in read)) return;
        for (const { value: kept } of read.answers) {
          expect(typeof kept === 'number' ? Number.isFinite(kept) : [...kept].length <= 4_000).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('result in the same value when they are validated a second time', () => {
    const types = fc.constantFrom(...FIELD_TYPES);
    fc.assert(
      fc.property(
        types,
        fc.oneof(fc.string(), fc.webUrl(), fc.emailAddress(), fc.double({ noNaN: true })),
        (type, given) => {
          const once = valueOf(type, given);
          fc.pre(once !== null);
          expect(valueOf(type, once)).toBe(once);
        },
      ),
      { numRuns: 500 },
    );
  });
});
