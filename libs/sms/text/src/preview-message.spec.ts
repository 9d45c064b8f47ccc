import fc from 'fast-check';
import { previewMessage } from './preview-message';
import { countSegments } from './segment-count';

const preview = (body: string, variables: Record<string, string> = {}, rate = 1) =>
  previewMessage(body, new Map(Object.entries(variables)), rate);

describe('previewMessage', () => {
  it('returns the text, its encoding, its segments and its price', () => {
    expect(preview('Your code is {{code}}', { code: '123456' }, 3)).toEqual({
      body: 'Your code is 123456',
      encoding: 'gsm-7',
      segments: 1,
      missing: [],
      unitsUsed: 19,
      unitsLeft: 141,
      cost: 3,
    });
  });

  it.each([
    ['a'.repeat(160), 1, 160, 0],
    ['a'.repeat(161), 2, 8, 145],
    ['€'.repeat(80), 1, 160, 0],
    // The 153rd septet of the first part stays empty, because an escape sequence is not split.
    ['€'.repeat(81), 2, 10, 143],
    ['ç'.repeat(70), 1, 70, 0],
    ['ç'.repeat(71), 2, 4, 63],
    ['😀'.repeat(36), 2, 6, 61],
  ])('returns the used and free units of the last segment of %j', (text, segments, unitsUsed, unitsLeft) => {
    expect(preview('{{text}}', { text }, 2)).toMatchObject({ segments, unitsUsed, unitsLeft, cost: 2 * segments });
  });

  it('returns missing tokens and keeps their placeholders', () => {
    expect(preview('{{ greeting }} {{name}}, {{code}}', { name: 'Ada' })).toMatchObject({
      body: '{{greeting}} Ada, {{code}}',
      missing: ['greeting', 'code'],
    });
    expect(preview('{#var#} of {#var#}', { var1: '1' })).toMatchObject({ body: '1 of {{var2}}', missing: ['var2'] });
  });

  it('accepts var1 for a single positional placeholder, like a send', () => {
    expect(preview('Code {#var#}', { var1: '42' })).toMatchObject({ body: 'Code 42', missing: [] });
  });

  it('keeps typed placeholders of missing tokens, and rejects values of another kind', () => {
    expect(preview('OTP {#numeric#} {#url#}', { numeric: '1' })).toMatchObject({
      body: 'OTP 1 {{url}}',
      missing: ['url'],
    });
    expect(() => preview('OTP {#numeric#} {#url#}', { numeric: 'x' })).toThrow(
      'The value of numeric must be digits only, because the template has {#numeric#}.',
    );
  });

  it('rejects the same input as a send', () => {
    expect(() => preview('{{a}}', { a: ' ' })).toThrow(expect.objectContaining({ code: 'INVALID_VARIABLES' }));
    expect(() => preview('{{a}}', { a: 'x'.repeat(153 * 255 + 1) })).toThrow(
      expect.objectContaining({ code: 'INVALID_VARIABLES' }),
    );
  });

  it('counts the segments in the same way as a send', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '€', 'ç', '😀'), minLength: 1, maxLength: 400 }), (text) => {
        const { encoding, segments, unitsUsed, unitsLeft } = preview('{{text}}', { text });
        expect({ encoding, segments }).toEqual(countSegments(text));
        expect(unitsUsed).toBeGreaterThan(0);
        const room = encoding === 'gsm-7' ? [160, 153] : [70, 67];
        expect(unitsUsed + unitsLeft).toBe(segments > 1 ? room[1] : room[0]);
      }),
    );
  });
});
