import type { FormField } from '../api/records';
import { en } from '../strings/en';
import { checkAnswers, normalAnswer } from './check-answers';
import { inputOf, prefilled } from './field-input';

const field = (type: string, change: Partial<FormField> = {}): FormField => ({
  key: 'a',
  label: 'A',
  type,
  required: false,
  ...change,
});
const errorOf = (of: FormField, answer: string) =>
  checkAnswers([of], { a: normalAnswer(of, answer) }, en)[0]?.message ?? null;

describe('the check of answers', () => {
  const good: Record<string, string[]> = {
    text: ['x'],
    textarea: ['x\ny'],
    email: ['a@x.example', ' a+b@mail.x.example '],
    phone: ['+49 30 123456', '(030) 123-456', '+919811111111'],
    url: ['https://x.example/a?b', 'x.example'],
    number: ['3', '-2.5', '2,5', '.5'],
    date: ['2026-02-28'],
    time: ['23:59', '10:00:30'],
    select: ['Basic'],
    newer: ['x'],
  };
  const bad: Record<string, [string, string][]> = {
    email: [
      ['a', en.badEmail],
      ['a@x', en.badEmail],
      ['a b@x.example', en.badEmail],
    ],
    phone: [
      ['1234', en.badPhone],
      ['call me', en.badPhone],
      ['123456789012345678901', en.badPhone],
    ],
    url: [
      ['javascript:alert(1)', en.badUrl],
      ['nothing', en.badUrl],
      ['ftp://x.example', en.badUrl],
    ],
    number: [
      ['three', en.badNumber],
      ['1.000,5', en.badNumber],
      ['1e3', en.badNumber],
    ],
    date: [
      ['28.2.2026', en.badDate],
      ['2026-13-01', en.badDate],
    ],
    time: [['noon', en.badTime]],
    select: [['Gold', en.badOption]],
  };

  it.each(Object.entries(good))('accepts valid answers of type %s', (type, answers) => {
    for (const answer of answers)
      expect([answer, errorOf(field(type, { options: ['Basic', 'Pro'] }), answer)]).toEqual([answer, null]);
  });

  it.each(Object.entries(bad))('returns the error of an invalid answer of type %s', (type, answers) => {
    for (const [answer, error] of answers)
      expect(errorOf(field(type, { options: ['Basic', 'Pro'] }), answer)).toBe(error);
  });

  it('requires only answers to required fields', () => {
    expect(errorOf(field('email', { required: true }), '  ')).toBe(en.required);
    expect(errorOf(field('email'), '')).toBeNull();
  });
});

describe('the input of a field', () => {
  it('has the appropriate keyboard type and autocomplete', () => {
    expect(inputOf(field('mobile'))).toMatchObject({ type: 'tel', inputMode: 'tel', autocomplete: 'tel' });
    expect(inputOf(field('number'))).toMatchObject({ type: 'text', inputMode: 'decimal' });
    expect(inputOf(field('text', { key: 'first_name' }))).toMatchObject({ autocomplete: 'given-name' });
    expect(inputOf(field('text', { key: 'company' }))).toMatchObject({ autocomplete: 'organization' });
    expect(inputOf(field('newer'))).toMatchObject({ element: 'input', type: 'text', autocomplete: 'off' });
  });

  it('is prefilled with the traits that the site provides for its visitor', () => {
    const traits = { name: 'Ada', email: 'ada@x.example' };
    expect(prefilled(field('email'), traits)).toBe('ada@x.example');
    expect(prefilled(field('text', { key: 'name' }), traits)).toBe('Ada');
    expect(prefilled(field('phone'), traits)).toBe('');
  });
});
