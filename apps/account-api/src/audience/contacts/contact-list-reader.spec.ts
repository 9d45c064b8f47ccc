import { AppError } from '@heliograph/errors';
import fc from 'fast-check';
import { ContactListReader } from './contact-list-reader';

const read = (text: string, pieceLength = 7): { contacts: unknown[]; options: unknown } => {
  const reader = new ContactListReader();
  const steps = reader.read(Buffer.from(text), pieceLength);
  while (!steps.next().done);
  return { contacts: reader.lines.map((line) => JSON.parse(line) as unknown), options: reader.options };
};

describe('a list of contacts', () => {
  it('is parsed correctly from chunks of any size', () => {
    const contact = fc.record({ attributes: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })) });
    fc.assert(
      fc.property(fc.array(contact), fc.integer({ min: 1, max: 50 }), (contacts, pieceLength) => {
        const text = JSON.stringify({ contacts, options: { group_ids: ['a'] } });
        const expected = JSON.parse(text) as { contacts: unknown[] };
        expect(read(text, pieceLength)).toEqual({ contacts: expected.contacts, options: { group_ids: ['a'] } });
      }),
    );
  });

  it('can start with a byte order mark', () => expect(read('\ufeff{"contacts":[{}]}').contacts).toEqual([{}]));

  it('can be followed only by white space', () => {
    expect(read('{"contacts":[{}]}\n \t\n           \n').contacts).toEqual([{}]);
    for (const text of ['{"contacts":[{}]} {}', '{"contacts":[{}]}        x', '{"contacts":[{}]}]']) {
      expect(() => read(text)).toThrow(AppError);
    }
  });

  it.each(['', '5', '{', '[', '{"contacts":[{}]', '{"contacts":[{},]}', "{'contacts':[]}", `{"a":${'['.repeat(40)}`])(
    'is rejected with INVALID_REQUEST for the body %j',
    (text) => expect(() => read(text)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }) as AppError),
  );

  it.each<[string, string, string]>([
    ['{"contacts":[{"email":"a@b.example"},{"fistName":"Ann"}]}', 'contacts[1].fistName', 'contacts[1].first_name?'],
    ['{"contacts":[{"email":"a@b.example","consent":{"sms":"opted_out"}}]}', 'contacts[0].consent', 'Its fields are'],
    ['{"contacts":[{"email":"a@b.example","group_ids":[]}]}', 'contacts[0].group_ids', 'Its fields are'],
    ['{"contacts":[{}],"option":{"on_conflict":"skip"}}', 'option', 'Did you mean options?'],
    ['{"contact":[{}]}', 'contact', 'Did you mean contacts?'],
    ['{"on_conflict":"skip","contacts":[{}]}', 'on_conflict', 'Its fields are contacts, options.'],
  ])('with an unknown field is refused as a whole: %s', (text, field, advice) => {
    const message = expect.stringContaining(advice) as string;
    const details = { fields: [{ field, message }] };
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message, details }) as AppError,
    );
  });

  it('can contain the contact records of the API', () => {
    const record = { id: 'x', email: 'a@b.example', attributes: {}, groups: [], consent: {}, source: 'api' };
    expect(read(JSON.stringify({ contacts: [record] })).contacts).toEqual([record]);
  });

  it.each(['[]', '{"contacts":{"a":{}}}', '{"contacts":5}', '[{"email":"a@b.example"}]'])(
    'is empty for the body %s',
    (text) => expect(read(text).contacts).toEqual([]),
  );
});
