import type { FieldType } from '@heliograph/bot-catalog';
import { contactDetails } from './contact-details';

/** Fields as key, type and value; the label defaults to the key. */
function detailsOf(...given: [key: string, type: FieldType, value: string, label?: string][]) {
  const fields = given.map(([key, type, , label = key]) => ({ key, label, type, required: true }));
  return contactDetails(
    fields,
    given.map(([key, , value, label = key]) => ({ key, label, value })),
  );
}

describe('contact details in answers', () => {
  it.each<[string, Parameters<typeof detailsOf>, ReturnType<typeof contactDetails>]>([
    [
      'the types of fields',
      [
        ['a', 'email', 'Ada@Example.com'],
        ['b', 'mobile', '+49 (30) 123-456'],
      ],
      { name: null, email: 'ada@example.com', phone: '+4930123456' },
    ],
    [
      'keys',
      [
        ['fullName', 'text', '  Ada   Lovelace '],
        ['e_mail', 'text', 'ada@example.com'],
      ],
      { name: 'Ada Lovelace', email: 'ada@example.com', phone: null },
    ],
    ['labels', [['q1', 'text', 'Ada', 'Your name *']], { name: 'Ada', email: null, phone: null }],
    [
      'first and last name',
      [
        ['lastName', 'text', 'Lovelace'],
        ['firstName', 'text', 'Ada'],
      ],
      { name: 'Ada Lovelace', email: null, phone: null },
    ],
    ['a number with two zeros', [['p', 'tel', '0049 30 123456']], { name: null, email: null, phone: '+4930123456' }],
    ['a national number', [['p', 'phone', '(030) 123456']], { name: null, email: null, phone: '030123456' }],
    ['a name in another language', [['q', 'text', 'अदा', 'नाम']], { name: 'अदा', email: null, phone: null }],
  ])('are taken from %s', (_what, answers, expected) => {
    expect(detailsOf(...answers)).toEqual(expected);
  });

  it('are taken from the type of a field before its name', () => {
    expect(detailsOf(['email', 'text', 'old@example.com'], ['x', 'email', 'new@example.com'])?.email).toBe(
      'new@example.com',
    );
  });

  it('ignore fields with other names and invalid addresses', () => {
    expect(detailsOf(['company', 'text', 'Acme'], ['username', 'text', 'ada'])).toBeNull();
    expect(detailsOf(['email', 'text', 'none of your business'])).toBeNull();
    expect(contactDetails([], [])).toBeNull();
  });
});
