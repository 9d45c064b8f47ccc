import { aBot, aFinding, aForm, SourcesInMemory } from './bot.fixture';
import { replyTo } from './reply-engine';
import { idsOf, knowing, say, viaOf } from './reply-engine.fixture';

describe('a request for a person', () => {
  it('takes precedence over all content except an FAQ with exactly this question', async () => {
    const question = 'Can I talk to a human?';
    const near = new SourcesInMemory({ [question]: [aFinding('hours', 0.85)] });
    const replied = await say(question, { sources: near, state: { missed: 3 } });
    expect(replied).toMatchObject({ isHandoff: true, state: {}, reply: { metadata: { via: 'handoff' } } });
    const very = new SourcesInMemory({ [question]: [aFinding('human', 1)] });
    const answered = await say(question, { sources: very });
    expect(answered).toMatchObject({ isHandoff: false, reply: { metadata: { via: 'faq', faqId: 'human' } } });
  });

  it('is answered with the text of the owner', async () => {
    const bot = aBot({ settings: { handoff: { message: 'Hold the line.' } } });
    expect((await say('human please', { bot })).reply.content).toBe('Hold the line.');
  });

  it('is a regular question when the owner has disabled handoffs', async () => {
    const bot = aBot({ settings: { handoff: { enabled: false, keywords: ['bananas'] } } });
    const replied = await say('bananas, talk to a human', { bot });
    expect(replied).toMatchObject({ isHandoff: false, reply: { metadata: { via: 'fallback' } } });
  });

  it('can use the keyword of the owner, unless an FAQ has exactly this question', async () => {
    const bot = aBot({ settings: { handoff: { keywords: ['Notfall', 'lawyer up'] } } });
    const { sources } = knowing({
      'What is your policy on lawyer up clauses?': [aFinding('law', 0.95)],
      'I heard about lawyer up things': [aFinding('law', 0.7)],
      'please, NOTFALL!': [aFinding('emergency', 1)],
    });
    expect(await viaOf('What is your policy on lawyer up clauses?', { bot, sources })).toBe('faq');
    expect(await viaOf('I heard about lawyer up things', { bot, sources })).toBe('handoff');
    expect(await viaOf('please, NOTFALL!', { bot, sources })).toBe('handoff');
  });
});

describe('a keyword of a form', () => {
  it.each(['demo', 'I want a DEMO!', 'Démo?', 'a product  tour, please', 'demonstration', 'ぜひ体験予約したいです'])(
    'is found in %s',
    async (text) => {
      expect((await say(text)).reply).toMatchObject({ metadata: { via: 'form' }, form: { id: 'demo' } });
    },
  );

  it.each(['democracy', 'is not found in %s', 'condemo', 'product', 'demos'])('is not found in %s', async (text) => {
    expect((await say(text)).reply.form).toBeNull();
  });

  it('has precedence over all content except an FAQ with exactly this question', async () => {
    const { sources } = knowing({
      'How long does a demo take?': [aFinding('length', 0.93)],
      'Is a demo for everybody?': [aFinding('everybody', 0.7)],
      'a demo please': [aFinding('length', 0.99)],
    });
    expect(await viaOf('How long does a demo take?', { sources })).toBe('faq');
    expect(await viaOf('Is a demo for everybody?', { sources })).toBe('form');
    expect(await viaOf('a demo please', { sources })).toBe('form');
  });

  it('does not show a submitted form again', async () => {
    expect((await say('demo', { state: { submitted: ['demo'] } })).reply.form).toBeNull();
  });

  it('is the longest keyword if several match', async () => {
    const bot = aBot({ forms: [aForm('short', ['tour']), aForm('long', ['product tour'])] });
    expect((await say('product tour', { bot })).reply.form?.id).toBe('long');
  });

  it('shows options only for a select field', async () => {
    expect((await say('poll')).reply.form?.fields).toEqual([
      { key: 'mood', label: 'Mood', type: 'select', required: true, options: ['good', 'bad'] },
    ]);
  });
});

describe('a question', () => {
  it('is answered by an FAQ before the knowledge of the bot', async () => {
    const replied = await say('q', knowing({ q: [aFinding('a', 0.9), aFinding('k', 0.99, { kind: 'knowledge' })] }));
    expect(replied.reply).toMatchObject({ content: 'All about a.', metadata: { via: 'faq', faqId: 'a' } });
    expect(replied.state).toEqual({ answered: ['a'] });
  });

  it('is answered by a passage, with the article as its source', async () => {
    const passage = aFinding('k', 0.9, { kind: 'knowledge', title: 'Care', text: 'Wash cold.' });
    expect((await say('q', knowing({ q: [passage] }))).reply).toEqual({
      content: 'Wash cold.',
      metadata: { author: 'bot', via: 'knowledge', sources: [{ title: 'Care', url: 'https://shop.example/k' }] },
      quickReplies: null,
      form: null,
    });
    const unseen = { ...passage, id: 'private' };
    expect((await say('q', knowing({ q: [unseen] }))).reply.metadata.sources).toEqual([{ title: 'Care' }]);
  });

  it('with several possible answers offers them as quick replies, with the labels of the bot', async () => {
    const found = [aFinding('a', 0.7), aFinding('shipping', 0.69), aFinding('c', 0.68)];
    const replied = await say('q', { ...knowing({ q: found }), state: { missed: 1 } });
    expect(replied.reply).toEqual({
      content: 'Which of these do you mean?',
      metadata: { author: 'bot', via: 'choices' },
      quickReplies: [
        { id: 'a', label: 'What about a?', type: 'faq', action: { type: 'faq', id: 'a' } },
        { id: 'shipping', label: 'About shipping', type: 'faq', action: { type: 'faq', id: 'shipping' } },
        { id: 'c', label: 'What about c?', type: 'faq', action: { type: 'faq', id: 'c' } },
      ],
      form: null,
    });
    expect(replied.state).toEqual({});
  });

  it('with several possible answers never offers the previous answer', async () => {
    const { sources } = knowing({ q: [aFinding('a', 0.7), aFinding('b', 0.69)] });
    const replied = await say('q', { sources, state: { answered: ['b', 'a'] } });
    expect([replied.reply.content, idsOf(replied)]).toEqual(['Do you mean this?', ['b']]);
  });

  it('without an answer gets the fallback, with similar FAQs before the suggestions', async () => {
    const { sources } = knowing({ q: [aFinding('near', 0.28), aFinding('hours', 0.27)] });
    const replied = await say('q', { sources, state: { answered: ['shipping'] } });
    expect(idsOf(replied)).toEqual(['near', 'hours', 'returns', 'payment']);
    expect(replied).toMatchObject({ reply: { metadata: { via: 'fallback' }, form: null }, state: { missed: 1 } });
    expect(replied.reply.content).toBe(
      'Sorry, I do not know that one. Could you say it another way?\n\nPerhaps one of these helps:',
    );
  });

  it('without an answer gets the fallback of the owner', async () => {
    const bot = aBot({ settings: { fallback: 'Ask the librarian.' } });
    expect((await say('q', { bot })).reply.content).toBe('Ask the librarian.');
  });
});

describe('a question without an answer to a bot with hand-offs', () => {
  const bot = aBot({ settings: { handoff: { enabled: true } } });
  const person = {
    id: '_person',
    label: 'Talk to a person',
    type: 'faq',
    action: { type: 'faq', id: '_person' },
  };

  it.each([0, 1])('offers a person as the last of at most four quick replies, after %i misses', async (missed) => {
    const replied = await say('q', { bot, state: { missed } });
    expect(idsOf(replied)).toEqual(['hours', 'shipping', 'returns', '_person']);
    expect(replied.reply.quickReplies?.at(-1)).toEqual(person);
    const bare = await say('q', { bot: { ...bot, suggestions: [] }, state: { missed } });
    expect(bare.reply.quickReplies).toEqual([person]);
    expect(bare.reply.content).not.toContain('Perhaps one of these');
  });

  it('offers the person in the language of the bot', async () => {
    const replied = await say('q', { bot: { ...bot, locale: 'de-AT' } });
    expect(replied.reply.quickReplies?.at(-1)?.label).toBe('Mit einem Menschen sprechen');
  });

  it('offers no person when the owner has disabled or not configured hand-offs', async () => {
    for (const settings of [{}, { handoff: { enabled: false } }]) {
      expect(idsOf(await say('q', { bot: aBot({ settings }) }))).not.toContain('_person');
    }
  });

  it('requests the person when the visitor chooses the quick reply, unless hand-offs have been disabled since', async () => {
    const action = { type: 'faq', id: '_person' } as const;
    const input = { kind: 'message', text: 'Talk to a person', action, isOpening: false } as const;
    const replied = await replyTo(input, bot, { missed: 1 }, new SourcesInMemory());
    expect(replied).toMatchObject({ isHandoff: true, state: {}, reply: { metadata: { via: 'handoff' } } });
    const without = aBot({ settings: { handoff: { enabled: false } } });
    await expect(replyTo(input, without, {}, new SourcesInMemory())).rejects.toMatchObject({ code: 'INVALID_ACTION' });
  });
});

describe('after two consecutive questions without an answer', () => {
  it('the visitor is offered a person when the owner has enabled handoffs, and yes requests one', async () => {
    const bot = aBot({ settings: { handoff: { enabled: true } } });
    const missed = await say('q', { bot, state: { missed: 1 } });
    expect(missed.reply.content).toContain('Write “person”');
    expect(missed.state).toEqual({ missed: 2, offered: 'handoff' });
    for (const text of ['yes please', 'Ja!', 'sí', 'हाँ', 'はい', 'person']) {
      expect(await say(text, { state: missed.state })).toMatchObject({ isHandoff: true, state: {} });
    }
    expect(await say('yes please')).toMatchObject({ isHandoff: false });
    const declined = await say('no thanks', { state: missed.state });
    expect(declined).toMatchObject({ isHandoff: false, state: {}, reply: { metadata: { via: 'small-talk' } } });
  });

  it('the fallback does not change when the owner has not configured handoffs', async () => {
    const bot = aBot({ settings: { fallback: 'Ask the librarian.' } });
    const { reply, state } = await say('q', { bot, state: { missed: 7 } });
    expect([reply.content, reply.form, state.offered]).toEqual(['Ask the librarian.', null, undefined]);
  });

  it('the visitor is offered the contact form when the owner has disabled handoffs', async () => {
    const bot = aBot({ settings: { handoff: { enabled: false } } });
    const replied = await say('q', { bot, state: { missed: 1 } });
    expect(replied.reply.form?.id).toBe('demo');
    expect(replied.reply.content).toContain('leave your details');
    const again = await say('q', { bot, state: { missed: 2, submitted: ['demo', 'poll'] } });
    expect(again.reply.form).toBeNull();
    expect(again.reply.content).not.toContain('leave your details');
  });

  it('an answer resets the count, but small talk does not', async () => {
    const { sources } = knowing({ q: [aFinding('a', 0.9)] });
    expect((await say('q', { sources, state: { missed: 1 } })).state.missed).toBeUndefined();
    expect((await say('thanks', { state: { missed: 1 } })).state.missed).toBe(1);
  });
});

describe('the language model', () => {
  const near = [aFinding('a', 0.26), aFinding('k', 0.3, { kind: 'knowledge', title: 'Care' })];

  it('is called when nothing matches, with the nearest findings sorted by relevance', async () => {
    const { sources } = knowing({ q: near });
    sources.history = [{ role: 'user', content: 'before' }];
    sources.modelAnswer = ({ passages }) => ({ text: 'Wash it cold.', used: passages.slice(0, 1) });
    const { reply } = await say('q', { sources });
    expect(reply).toMatchObject({ content: 'Wash it cold.', quickReplies: null });
    expect(reply.metadata).toEqual({
      author: 'bot',
      via: 'model',
      sources: [{ title: 'Care', url: 'https://shop.example/k' }],
    });
    expect(sources.modelQuestions).toMatchObject([{ text: 'q', passages: [{ id: 'k' }, { id: 'a' }] }]);
  });

  it.each<[string, object, number]>([
    ['it is disabled for the bot', { languageModel: { enabled: false } }, 0],
    ['it has no answer', {}, 1],
  ])('leads to the fallback when %s', async (_, settings, times) => {
    const { sources } = knowing({ q: near });
    expect(await viaOf('q', { bot: aBot({ settings }), sources })).toBe('fallback');
    expect(sources.modelQuestions).toHaveLength(times);
  });

  it('is not called without a passage, or if there are choices or an answer', async () => {
    const { sources } = knowing({ one: [aFinding('a', 0.9)], two: [aFinding('a', 0.7), aFinding('b', 0.7)] });
    for (const text of ['none', 'one', 'two', 'hello', '/help', '???']) await say(text, { sources });
    expect(sources.modelQuestions).toEqual([]);
  });

  it('is not called when none is configured', async () => {
    const { sources } = knowing({ q: near });
    sources.hasModel = false;
    await say('q', { sources });
    expect(sources.modelQuestions).toEqual([]);
  });

  it('receives the findings for the previous question if there are few for the current one', async () => {
    const { sources } = knowing({
      'And in winter?': [],
      'When are you open?\nAnd in winter?': [aFinding('hours', 0.6)],
    });
    sources.history = [
      { role: 'user', content: 'When are you open?' },
      { role: 'assistant', content: 'From 9 to 5.' },
    ];
    sources.hasModel = true;
    await say('And in winter?', { sources });
    expect(sources.modelQuestions).toMatchObject([{ passages: [{ id: 'hours' }] }]);
  });
});

describe('an opening reply', () => {
  it('shows suggestions, except the FAQ that it has just answered', async () => {
    const { sources } = knowing({ q: [aFinding('hours', 0.9)] });
    expect(idsOf(await say('q', { sources, isOpening: true }))).toEqual(['shipping', 'returns', 'payment', 'contact']);
    expect(idsOf(await say('hi', { isOpening: true }))).toEqual(['hours', 'shipping', 'returns', 'payment']);
    expect(idsOf(await say('hi'))).toEqual([]);
  });

  it('keeps its choices', async () => {
    const { sources } = knowing({ q: [aFinding('a', 0.7), aFinding('b', 0.69)] });
    expect(idsOf(await say('q', { sources, isOpening: true }))).toEqual(['a', 'b']);
  });
});

describe('a submission', () => {
  const submit = (bot = aBot(), formId = 'demo') =>
    replyTo({ kind: 'submission', formId }, bot, { missed: 2, submitted: ['poll'] }, new SourcesInMemory());

  it('is confirmed, and stored in the state', async () => {
    expect(await submit()).toEqual({
      reply: {
        content: 'Thanks! We have got your details.',
        metadata: { author: 'bot', via: 'form' },
        quickReplies: null,
        form: null,
      },
      state: { submitted: ['poll', 'demo'] },
      isHandoff: false,
    });
  });

  it('is confirmed with the text of the owner', async () => {
    const bot = aBot({ forms: [{ ...aForm('demo', []), confirmation: 'See you there.' }] });
    expect((await submit(bot)).reply.content).toBe('See you there.');
  });
});
