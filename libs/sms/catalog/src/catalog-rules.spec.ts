import { checkCatalogValues, type CatalogValues } from './catalog-rules';

const problemOf = (values: CatalogValues): string => {
  try {
    checkCatalogValues(values);
    return '';
  } catch (error) {
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    return (error as Error).message;
  }
};

const NUL = String.fromCharCode(0);

describe('the validation rules of the catalog', () => {
  it.each<[keyof CatalogValues, unknown]>([
    ['name', 'Acme India'],
    ['name', 'भारत'],
    ['name', 'x'.repeat(200)],
    ['country', 'IN'],
    ['dltEntityId', null],
    ['dltEntityId', '1'],
    ['dltSenderId', '1'.repeat(30)],
    ['dltTemplateId', '1107000000000000001'],
    ['header', 'A'],
    ['header', 'ACMEIN-P'],
    ['header', 'Acme & Sons'],
    ['header', 'ELEVEN_CHAR'],
    ['header', '56161'],
    ['header', '919876543210123'],
    ['header', '+919876543210'],
    ['body', 'Hello'],
    ['body', 'Hello {{name}}, {{ }} {{a b}} }}{{ {#var#'],
    ['body', '😀\n{{a}}'],
    ['body', '{# var #} {#NUMERIC#}'],
    ['body', 'x'.repeat(153 * 255)],
    ['body', '{{a}}'.repeat(100)],
    ['rejectionReason', 'The entity id\nis not registered.'],
    ['rate', 0],
    ['rate', 1_000_000],
  ])('accept the %s %j', (field, value) => expect(problemOf({ [field]: value })).toBe(''));

  it.each<[keyof CatalogValues, unknown]>([
    ['name', ''],
    ['name', '  '],
    ['name', 'x'.repeat(201)],
    ['name', 'a\nb'],
    ['name', `a${NUL}`],
    ['name', 'a\ud800'],
    ['country', 'in'],
    ['country', 'XX'],
    ['country', ''],
    ['dltEntityId', ''],
    ['dltEntityId', 'abc'],
    ['dltSenderId', '1'.repeat(31)],
    ['dltSenderId', '१२'],
    ['dltTemplateId', '1 2'],
    ['header', ''],
    ['header', ' ACME'],
    ['header', 'ACME '],
    ['header', 'TWELVE_CHARS'],
    ['header', '9198765432101234'],
    ['header', 'ACMÉ'],
    ['header', 'आकमे'],
    ['header', '`ACME'],
    // Characters of the extension table take two septets.
    ['header', '[ACME][IN]'],
    ['header', `ACME${NUL}`],
    ['header', 'AC\rME'],
    ['body', ''],
    ['body', ' \n'],
    ['body', `a${NUL}b`],
    ['body', 'a\udc00b'],
    ['body', 'x'.repeat(153 * 255 + 1)],
    ['body', 'ç'.repeat(67 * 255 + 1)],
    ['body', '{{a}}'.repeat(101)],
    ['body', 'Due on {#date#}'],
    ['body', 'Due on {# Date #}'],
    ['body', `{{${'a'.repeat(153 * 255)}}}`],
    ['rejectionReason', ''],
    ['rejectionReason', 'x'.repeat(1_001)],
    ['rate', -1],
    ['rate', 1.5],
    ['rate', Number.NaN],
    ['rate', 1_000_001],
  ])('reject the %s %j and name the field', (field, value) => {
    expect(problemOf({ [field]: value })).toMatch(new RegExp(`^${field}: must `));
  });

  it('name every invalid field', () => {
    expect(problemOf({ name: '', country: 'in', dltEntityId: '1' })).toMatch(/^name: must .*; country: must .*\.$/);
  });
});
