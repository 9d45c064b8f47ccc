import { matchesEtag } from './matches-etag';

describe('If-None-Match', () => {
  it.each([
    ['"a-br"', true],
    ['W/"a-br"', true],
    ['"x", W/"y" , "a-br"', true],
    [' * ', true],
    ['"a"', false],
    ['a-br', false],
    ['"a-br', false],
    ['', false],
  ])('with the value %s matches "a-br": %s', (header, holds) => {
    expect(matchesEtag(header, '"a-br"')).toBe(holds);
  });

  it('does not match without the header', () => {
    expect(matchesEtag(undefined, '"a"')).toBe(false);
  });
});
