import fc from 'fast-check';
import { anyCodePoint, expectLinear } from '@heliograph/testing';
import { aBot, aFinding, SourcesInMemory } from './bot.fixture';
import { LANGUAGES } from './languages';
import { asksForPerson } from './phrases/person-requests';
import { smallTalkOf } from './phrases/small-talk';
import type { TurnInput, EngineState } from './reply';
import { replyTo } from './reply-engine';
import { slashCommandOf } from './slash-command';
import { triggerOf } from './triggers';
import { wordsOf } from './words';

const texts = fc.oneof(
  fc.string({ unit: anyCodePoint, maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '???',
    '👍👍',
    '/',
    '/help',
    '(a+)+$',
    '\\',
    '%',
    'demo',
    'hi',
    'yes',
    'talk to a human',
    '\u0000',
  ),
  fc.string({
    unit: fc.constantFrom('/', ' ', 'demo', 'talk to', 'a ', 'human', 'नहीं', '担当者', '😀', '\ud800'),
    maxLength: 60,
  }),
);
const ids = fc.array(fc.constantFrom('hours', 'shipping', 'returns', 'a', 'b'), { maxLength: 12 });
const states: fc.Arbitrary<EngineState> = fc.record(
  {
    answered: ids,
    missed: fc.nat(5),
    submitted: fc.array(fc.constantFrom('demo', 'poll')),
    offered: fc.constant('handoff' as const),
  },
  { requiredKeys: [] },
);
const bots = fc
  .record({
    locale: fc.constantFrom(...LANGUAGES, 'pt-BR', 'xx', ''),
    tone: fc.constantFrom('friendly', 'formal', ''),
    settings: fc.record(
      {
        fallback: fc.constantFrom('No idea.', '', ' '),
        handoff: fc.record({ enabled: fc.boolean(), keywords: fc.array(texts, { maxLength: 3 }) }),
      },
      { requiredKeys: [] },
    ),
    isBare: fc.boolean(),
  })
  .map(({ locale, tone, settings, isBare }) =>
    aBot({
      locale,
      version: { id: 'v', number: 1, tone },
      settings,
      ...(isBare ? { shortcuts: [], forms: [], suggestions: [] } : {}),
    }),
  );
const input: fc.Arbitrary<TurnInput> = fc.oneof(
  fc.record({ kind: fc.constant('submission' as const), formId: fc.constantFrom('demo', 'gone') }),
  fc.record({
    kind: fc.constant('message' as const),
    text: texts,
    isOpening: fc.boolean(),
    action: fc.option(
      fc.oneof(
        fc.record({ type: fc.constant('faq' as const), id: fc.constantFrom('hours', 'gone', '') }),
        fc.record({ type: fc.constant('shortcut' as const), id: texts, command: texts }),
        fc.constantFrom('returns', 'person', 'hours', 'demo', 'retail').map((id) => ({
          type: 'shortcut' as const,
          id,
          command: `/${id}`,
        })),
      ),
    ),
  }),
);
const findings = fc.array(
  fc.record({
    kind: fc.constantFrom('faq' as const, 'knowledge' as const),
    id: fc.constantFrom('hours', 'a', 'b', 'c', 'd', 'e'),
    title: fc.string({ maxLength: 300 }),
    text: fc.constantFrom('Yes.', '', '  '),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 10 },
);

describe('the reply engine', () => {
  it('always replies, offers at most four quick replies, and throws only INVALID_ACTION', async () => {
    await fc.assert(
      fc.asyncProperty(input, bots, states, findings, async (what, bot, state, found) => {
        const sources = new SourcesInMemory();
        const sorted = found.map(({ id, ...more }) => aFinding(id, more.score, more)).sort((a, b) => b.score - a.score);
        const ofKind = (kind: string) => sorted.filter((finding) => finding.kind === kind);
        sources.find = () => Promise.resolve({ faqs: ofKind('faq'), knowledge: ofKind('knowledge') });
        const before = structuredClone(state);
        let replied;
        try {
          replied = await replyTo(what, bot, state, sources);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_ACTION' });
          return;
        }
        const { reply, state: after, isHandoff } = replied;
        expect(reply.content.trim() !== '' || reply.form !== null).toBe(true);
        expect(reply.content).not.toMatch(/\{(?:name|word)\}/);
        expect(reply.content.isWellFormed()).toBe(true);
        const offered = (reply.quickReplies ?? []).map(({ id }) => id);
        expect(offered.length).toBeLessThanOrEqual(4);
        expect(new Set(offered).size).toBe(offered.length);
        expect(reply.quickReplies).not.toEqual([]);
        if (reply.metadata.faqId !== undefined) expect(offered).not.toContain(reply.metadata.faqId);
        if (isHandoff) expect(bot.settings.handoff.isEnabled).toBe(true);
        expect((after.answered ?? []).length).toBeLessThanOrEqual(12);
        expect(JSON.parse(JSON.stringify(after))).toEqual(after);
        expect(state).toEqual(before);
      }),
      { numRuns: 1_500 },
    );
  });

  it.each([
    ['one repeated letter', 'a'],
    ['one repeated word', 'talk '],
    ['incomplete requests', 'want to talk to a a a '],
    ['slashes', '/'],
    ['words that are skipped', 'parler avec a a '],
    ['emoji', '😀'],
    ['negations', 'not want to '],
    ['Japanese', '担当者'],
    ['accents', 'e\u0301\u0301\u0301'],
    ['blanks', ' '],
  ])('takes time proportional to the length of the text, for %s', (_, unit) => {
    const bot = aBot();
    expectLinear(
      8_000,
      (size) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size),
      (text) => {
        for (let times = 0; times < 20; times++) {
          const words = wordsOf(text);
          asksForPerson(words);
          smallTalkOf(text, words, 'Ada');
          triggerOf(words, bot, {});
          slashCommandOf(text, bot);
        }
      },
    );
  });
});
