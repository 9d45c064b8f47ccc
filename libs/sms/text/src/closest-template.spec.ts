import fc from 'fast-check';
import { closestTemplate, editDistance } from './closest-template';
import { parseTemplate } from './render-template';

function closest(bodies: readonly string[], text: string): string | undefined {
  const steps = closestTemplate(
    bodies.map((body) => ({ body, parsed: parseTemplate(body) })),
    text,
  );
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value?.body;
}

/** The same distance, computed recursively. */
function naiveDistance(fixed: readonly (string | null)[], text: string): number {
  if (fixed.length === 0) return 4 * text.length;
  const [expected, ...rest] = fixed;
  if (text === '') return naiveDistance(rest, '') + (expected === null ? 0 : 4);
  const after = text.slice(1);
  if (expected === null) return Math.min(naiveDistance(rest, text), naiveDistance(fixed, after) + 1);
  return Math.min(
    naiveDistance(rest, text) + 4,
    naiveDistance(fixed, after) + 4,
    naiveDistance(rest, after) + (expected === text[0] ? 0 : 4),
  );
}

describe('the closest template', () => {
  it.each([
    [
      'Helo Ann, welcome to Vega',
      'Hello {{name}}, welcome to Vega',
      ['{#var#} is on the way', 'Hello {{name}}, goodbye', '{#var#}: {#var#}'],
    ],
    ['Your cod is 12345', 'Your code is {#numeric#}', ['Your {{x}}', 'Your order is {#var#}', '{#var#} {#var#}']],
    [
      'Dear Maximiliana Wolkenstein, you order 1 left.',
      'Dear {{name}}, your order {{id}} left.',
      ['Dear {{name}}, welcome to the shop of Vega.', '{{a}} {{b}}.', 'Order'],
    ],
    ['Line one\r\nLin two', 'Line one\nLine two', ['Line one Line three', 'Line']],
  ])('to %j is %j', (text, body, others) => {
    expect(closest([...others, body], text)).toBe(body);
    expect(closest([body, ...others], text)).toBe(body);
  });

  it('does not exist if there are no templates', () => {
    expect(closest([], 'Hello')).toBeUndefined();
  });

  it('is found among thousands of long templates in bounded time', () => {
    const bodies = Array.from(
      { length: 3_000 },
      (_, index) => `{{a}}${'Notice about your account '.repeat(100)}${index}`,
    );
    const startedAt = performance.now();
    expect(closest([...bodies, 'Hello {{name}}, welcome'], 'Helo Ann, welcome')).toBe('Hello {{name}}, welcome');
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('has the same distance as the recursive definition, unless it is not below the limit', () => {
    const character = fc.constantFrom('a', 'b', 'c');
    const fixed = fc.array(fc.oneof(character, fc.constant(null)), { maxLength: 5 });
    fc.assert(
      fc.property(fixed, fc.string({ unit: character, maxLength: 5 }), fc.nat(30), (template, text, limit) => {
        const distance = naiveDistance(template, text);
        expect(editDistance(template, text, Infinity)).toBe(distance);
        expect(editDistance(template, text, limit)).toBe(distance < limit ? distance : Infinity);
      }),
      { numRuns: 500 },
    );
  });
});
