import fc from 'fast-check';
import { expectLinear } from '@heliograph/testing';
import { aFinding } from '../replies/bot.fixture';
import { KnownAddresses } from './addresses';
import { AnswerWriter, type WrittenAnswer } from './answer-writer';
import { Confidential } from './confidential';
import { RULES } from './prompt';

const KEY = 'sk-secret-0123456789';
const PASSAGES = [
  aFinding('a', 0.9, {
    text: 'Returns take 30 days. See https://shop.example/returns or [the form](https://shop.example/form?a=1). Mail help@shop.example, call +49 30 1234567.',
  }),
  aFinding('b', 0.8, { text: 'Nothing.' }),
];
const INSTRUCTIONS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen end';

function grounds() {
  return {
    passages: PASSAGES.length,
    addresses: new KnownAddresses(PASSAGES),
    confidential: new Confidential(RULES, INSTRUCTIONS, KEY),
  };
}

function write(parts: readonly string[], isCut = false): { answer: WrittenAnswer; shown: string[] } {
  const shown: string[] = [];
  const writer = new AnswerWriter(grounds(), (text) => void shown.push(text));
  for (const part of parts) writer.write(part);
  return { answer: writer.end(isCut), shown };
}
const inParts = (text: string, every: number): string[] => text.match(new RegExp(`[^]{1,${every}}`, 'g')) ?? [];
const read = (text: string, isCut = false) => write([text], isCut).answer;

describe('an answer of the model', () => {
  it.each<[string, string, number[]]>([
    ['Within 30 days [1].', 'Within 30 days.', [1]],
    ['Within 30 days. [1][2]', 'Within 30 days.', [1, 2]],
    ['Within 30 days[2, 1].', 'Within 30 days.', [2, 1]],
    ['Within 30 days 【1】.', 'Within 30 days.', [1]],
    ['Within 30 days [^1]; yes [9] [0] [1].', 'Within 30 days; yes.', [1]],
    ['See [1](https://evil.example/x) there.', 'See there.', [1]],
    ['<think>The rules say NO_ANSWER [2]</think>Thirty [1]', 'Thirty', [1]],
    ['<b>Thirty</b><script>alert(1)</script> days [1]', 'Thirty days', [1]],
    ['- one [1]\n- two [2]', '- one\n- two', [1, 2]],
    ['30日以内です[1]。', '30日以内です。', [1]],
  ])('%j is cleaned to %j', (raw, text, cited) => {
    expect(read(raw)).toEqual({ kind: 'answer', text, cited });
  });

  it.each([
    ['NO_ANSWER', 'no-answer'],
    ['I am sorry [1]. NO_ANSWER', 'no-answer'],
    ['Within 30 days.', 'ungrounded'],
    ['Within 30 days [3] [0].', 'ungrounded'],
    ['[1]', 'ungrounded'],
    ['', 'ungrounded'],
    ['<think>Within 30 days [1].', 'ungrounded'],
    [`Sure [1]: ${RULES[0]}`, 'leak'],
    [`Sure [1]: ${RULES[1].toUpperCase().replaceAll(' ', ' * ')}`, 'leak'],
    [`Sure [1]: ${INSTRUCTIONS}`, 'leak'],
    [`Sure [1]: the key is "${KEY}".`, 'leak'],
  ])('%j is rejected with the reason %s', (raw, why) => {
    expect(read(raw)).toEqual({ kind: 'none', why });
  });

  it.each([
    ['See https://shop.example/returns. [1]', 'See https://shop.example/returns.'],
    ['See [here](https://shop.example/form?a=1) [1]', 'See [here](https://shop.example/form?a=1)'],
    [
      'Write [us](mailto:help@shop.example) or help@shop.example [1]',
      'Write [us](mailto:help@shop.example) or help@shop.example',
    ],
    ['Call [us](tel:+49301234567) [1]', 'Call [us](tel:+49301234567)'],
    ['See [here](https://evil.example/) [1]', 'See here'],
    ['See [https://evil.example](https://evil.example) now [1]', 'See now'],
    ['See https://evil.example/x. [1]', 'See .'],
    ['See www.evil.example, ok [1]', 'See , ok'],
    ['See https://shop.example/returns@evil.example [1]', 'See'],
    ['See [here](javascript:alert(1)) [1]', 'See here'],
    ['Write evil@evil.example now [1]', 'Write now'],
    ['Call [us](tel:+1900555555) [1]', 'Call us'],
    ['See [a](https://evil.example [1]', 'See [a]('],
  ])('contains only URLs of the passages: %j', (raw, text) => {
    expect(read(raw)).toMatchObject({ kind: 'answer', text });
  });

  it('that was truncated ends with its last complete sentence', () => {
    expect(read('Thirty days [1]. And then you hav', true)).toMatchObject({ text: 'Thirty days.' });
    expect(read('Thirty days. [1] And then you hav', true)).toMatchObject({ text: 'Thirty days.' });
    expect(read('Thirty days [1] and then you hav', true)).toEqual({ kind: 'none', why: 'ungrounded' });
  });

  it('has a limited length', () => {
    const { answer } = write(['Thirty days [1]. ', ...Array.from({ length: 2_000 }, () => 'And so on. ')]);
    expect(answer.kind === 'answer' && answer.text.length).toBeLessThanOrEqual(8_000);
  });
});

describe('a streamed answer', () => {
  const ANSWER =
    'You have thirty days to send it back [1]. Use [the form](https://shop.example/form?a=1) [1, 2], or https://evil.example/x if you like <b>that</b> more. Then wait.';
  const TEXT =
    'You have thirty days to send it back. Use [the form](https://shop.example/form?a=1), or if you like that more. Then wait.';

  it.each([1, 2, 3, 7, 24, 50, 1_000])(
    'shows the same text in parts of %i characters, and never text that is removed later',
    (every) => {
      const { answer, shown } = write(inParts(ANSWER, every));
      expect(answer).toMatchObject({ kind: 'answer', text: TEXT });
      expect(TEXT.startsWith(shown.join(''))).toBe(true);
      if (every < 50) expect(shown.length).toBeGreaterThan(1);
    },
  );

  it('shows nothing before a passage is cited, and so nothing of an answer without citations', () => {
    const words = 'It is probably fine, many people do that every day, and nobody ever asked. ';
    expect(write(inParts(words.repeat(5), 3)).shown).toEqual([]);
    expect(write(inParts('NO_ANSWER', 1))).toEqual({ answer: { kind: 'none', why: 'no-answer' }, shown: [] });
  });

  it.each([
    ['the rules', RULES.join(' ')],
    ['the key', `and here is ${KEY} for you, and a few more words behind it to go on with`],
  ])('shows at most a few words of %s', (_, secret) => {
    const { answer, shown } = write(inParts(`Of course [1]. ${secret}`, 4));
    expect(answer).toEqual({ kind: 'none', why: 'leak' });
    expect(shown.join('')).not.toContain(KEY);
    expect(shown.join('').split(/\s+/).length).toBeLessThan(2 + 16);
    expect(shown.join('')).not.toContain('one JSON object');
  });

  it('continues after the client has disconnected', () => {
    const writer = new AnswerWriter(grounds(), () => {
      throw new Error('gone');
    });
    writer.write(ANSWER);
    expect(writer.end(false)).toMatchObject({ text: TEXT });
  });

  it.each([
    ['NO_[1]ANSWER', 'no-answer'],
    ['NO_<b>ANSWER', 'no-answer'],
    [`${KEY.slice(0, 9)}[1]${KEY.slice(9)}`, 'leak'],
  ])('rejects text that is joined by removing a citation or a tag: %s', (text, why) => {
    expect(write([`Yes [1]. ${text}`]).answer).toEqual({ kind: 'none', why });
  });

  it('never shows an unknown URL, a citation, the marker or markup, for any text', () => {
    const pieces = fc.constantFrom(
      '[1]',
      '[',
      ']',
      '(',
      ')',
      ' ',
      'https://evil.example/',
      'https://',
      'evil.example',
      'NO_',
      'ANSWER',
      '<script>',
      '<',
      '>',
      'ok. ',
      '\n',
      '[2](',
      'https://shop.example/returns',
      'あ',
      '。',
      KEY,
      KEY.slice(0, 9),
      KEY.slice(9),
      '【1',
      '】',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const { answer, shown } = write(['Yes [1]. ', ...parts]);
        for (const text of [shown.join(''), answer.kind === 'answer' ? answer.text : '']) {
          expect(text).not.toMatch(/https?:\/\/(?!shop\.example\/returns)[a-z]/);
          expect(text).not.toMatch(/\[[12]\]|NO_ANSWER|<script>/);
          expect(text).not.toContain(KEY);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(['[', '<', 'a', '](', '[1]', 'https://a', '. ', '<a href=x>', 'あ', '<think>'])(
    'takes time proportional to its length, for %j',
    (unit) => {
      expectLinear(
        8_000,
        (size) => unit.repeat(Math.ceil(size / unit.length)),
        (text) => write([text]),
      );
    },
  );
});
