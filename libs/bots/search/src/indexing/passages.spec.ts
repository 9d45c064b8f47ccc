import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { passagesOf } from './passages';

describe('passages of an article', () => {
  const long = 'This sentence is there to make the paragraph long enough to stand alone.';

  it('are its paragraphs', () => {
    expect(passagesOf(`${long}\n\n${long} Twice.\r\n \r\n${long} Thrice.`)).toEqual([
      long,
      `${long} Twice.`,
      `${long} Thrice.`,
    ]);
  });

  it('join a heading with the following paragraph, and a short last line with the previous one', () => {
    expect(passagesOf(`# Returns\n\n${long}\n\nEnd.`)).toEqual([`# Returns\n${long}\nEnd.`]);
    expect(passagesOf('Only this.')).toEqual(['Only this.']);
    expect(passagesOf(' \n\n ')).toEqual([]);
  });

  it('are split at sentences when they are long', () => {
    const passages = passagesOf(Array.from({ length: 40 }, (_, at) => `${long} Number ${at}.`).join(' '));
    expect(passages.length).toBeGreaterThan(3);
    for (const passage of passages) {
      expect(passage.length).toBeLessThanOrEqual(900);
      expect(passage).toMatch(/\.$/);
    }
  });

  it('contain every letter, and have at most 1,100 characters', () => {
    const text = fc.array(
      fc.oneof(
        fc.constantFrom('\n\n', '. ', ' ', '\n', '。', 'x'.repeat(3_000), '👋'.repeat(900)),
        fc.string({ maxLength: 80 }),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(text, (parts) => {
        const body = parts.join('');
        const passages = passagesOf(body);
        expect(passages.join('').replace(/\s/g, '')).toBe(body.replace(/\s/g, ''));
        for (const passage of passages) {
          expect(passage.length).toBeLessThanOrEqual(1_100);
          expect(passage.trim()).not.toBe('');
        }
      }),
    );
  });

  it('are computed in linear time', () => {
    for (const piece of ['\n', ' \n', 'a. ', 'a', '\n \n', '.', ')']) {
      expectLinear(200_000, (size) => piece.repeat(size / piece.length), passagesOf);
    }
  });
});
