import { readImportRow } from './import-row';

describe('a row of an import', () => {
  it.each(['n\0', '\ud83d', ' ', 'x'.repeat(65)])(
    'with the attribute name %j has an error without this name',
    (name) => {
      for (const value of ['Ann', 'Jos\ufffd', { deep: true }, null]) {
        expect(readImportRow({ row: 2, values: { [`attributes.${name}`]: value } }, {})).toEqual({
          row: 2,
          field: 'attributes',
          message: 'A name of an attribute is not valid.',
        });
      }
    },
  );

  it('with invalid UTF-8 in a value has an error about the field', () => {
    expect(readImportRow({ row: 2, values: { 'attributes.plan': 'pr\ufffd' } }, {})).toEqual({
      row: 2,
      field: 'attributes.plan',
      message: 'attributes.plan must be valid UTF-8.',
    });
  });
});
