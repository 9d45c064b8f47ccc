import { aBot, aFinding, aShortcut, SourcesInMemory } from './bot.fixture';
import type { Action } from './reply';
import { knowing, say, viaOf } from './reply-engine.fixture';

describe('an action', () => {
  it('of an FAQ is answered with the FAQ, for any text', async () => {
    const { reply, state } = await say('/returns', { action: { type: 'faq', id: 'shipping' } });
    expect(reply).toEqual({
      content: 'All about shipping.',
      metadata: { author: 'bot', via: 'action', faqId: 'shipping' },
      quickReplies: null,
      form: null,
    });
    expect(state).toEqual({ answered: ['shipping'] });
  });

  it.each<[string, Action]>([
    ['an FAQ of another bot or an unpublished one', { type: 'faq', id: 'secret' }],
    ['a shortcut of another bot or an unpublished one', { type: 'shortcut', id: 'secret', command: '/secret' }],
    ['a shortcut with the command of another shortcut', { type: 'shortcut', id: 'returns', command: '/person' }],
    ['a shortcut with its command in a different case', { type: 'shortcut', id: 'returns', command: '/Returns' }],
  ])('with %s is rejected', async (_, action) => {
    await expect(say('Anything', { action })).rejects.toMatchObject({ code: 'INVALID_ACTION', status: 400 });
  });

  it.each([
    ['hours', 'action', 'All about hours.', false],
    ['person', 'handoff', 'asked the team', true],
    ['demo', 'action', 'fill in', false],
    ['returns', 'faq', 'All about returns.', false],
    ['retail', 'knowledge', 'A shop in every town.', false],
  ])('of the shortcut %s is answered by %s', async (id, via, content, isHandoff) => {
    const { sources } = knowing({
      'How do I return something?': [aFinding('returns', 0.9)],
      'Our shops': [aFinding('shops', 0.9, { kind: 'knowledge', text: 'A shop in every town.' })],
    });
    const replied = await say('x', { sources, action: { type: 'shortcut', id, command: `/${id}` } });
    expect(replied).toMatchObject({ isHandoff, reply: { metadata: { via } } });
    expect(replied.reply.content).toContain(content);
  });

  it('of a knowledge query searches the articles before the FAQs', async () => {
    const page = aFinding('page', 0.8, { kind: 'knowledge', text: 'Within 30 days.' });
    const { sources } = knowing({ returns: [aFinding('returns', 0.97), page] });
    const say30 = async (type: string) => {
      const bot = aBot({ shortcuts: [aShortcut('r', { type, query: 'returns' })] });
      return (await say('x', { bot, sources, action: { type: 'shortcut', id: 'r', command: '/r' } })).reply.content;
    };
    expect(await say30('knowledge_query')).toBe('Within 30 days.');
    expect(await say30('anything else')).toBe('All about returns.');
  });

  it('returns a greeting, unless an FAQ has this greeting as its question', async () => {
    const { sources } = knowing({ hello: [aFinding('hours', 0.98)] });
    expect((await say('hello')).reply.metadata.via).toBe('small-talk');
    expect((await say('hello', { sources })).reply.metadata.via).toBe('faq');
  });

  it('of a form shortcut shows the form again, even after a submission', async () => {
    const action: Action = { type: 'shortcut', id: 'demo', command: '/demo' };
    const { reply } = await say('x', { action, state: { submitted: ['demo'] } });
    expect(reply.form).toEqual({
      id: 'demo',
      title: 'Form demo',
      fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
    });
  });

  it.each(['faq', 'form'])('of a %s shortcut with a deleted target searches for its label', async (type) => {
    const bot = aBot({ shortcuts: [aShortcut('old', { type, query: 'gone', label: 'Opening hours' })] });
    const { sources } = knowing({ 'Opening hours': [aFinding('hours', 0.9)] });
    const action: Action = { type: 'shortcut', id: 'old', command: '/old' };
    expect((await say('x', { bot, sources, action })).reply.content).toBe('All about hours.');
  });

  it('of a handoff shortcut searches for its label when the owner has disabled handoffs', async () => {
    const bot = aBot({ settings: { handoff: { enabled: false } } });
    const replied = await say('x', { bot, action: { type: 'shortcut', id: 'person', command: '/person' } });
    expect(replied).toMatchObject({ isHandoff: false, reply: { metadata: { via: 'fallback' } } });
  });
});

describe('a slash command', () => {
  it.each([
    ['/hours', 'All about hours.'],
    ['/HOURS', 'All about hours.'],
    ['  /hours please ', 'All about hours.'],
    ['/ho', 'All about hours.'],
    ['/d', 'Please fill in these fields.'],
  ])('%s is executed', async (text, content) => {
    const { reply } = await say(text);
    expect(reply).toMatchObject({ content, metadata: { via: 'command' } });
  });

  it('matches the whole command: a shortcut whose command is longer is not executed', async () => {
    const bot = aBot({ shortcuts: [aShortcut('hours2', { type: 'faq', query: 'contact' }), ...aBot().shortcuts] });
    expect((await say('/hours', { bot })).reply.content).toBe('All about hours.');
  });

  it('can contain characters other than letters', async () => {
    const bot = aBot({ shortcuts: [aShortcut('a', { command: '/a/b', type: 'faq', query: 'hours' })] });
    expect((await say('/a/b', { bot })).reply.content).toBe('All about hours.');
  });

  it('searches for its argument when its shortcut has no question', async () => {
    const bot = aBot({ shortcuts: [aShortcut('ask')] });
    const { sources } = knowing({ 'the way to you': [aFinding('contact', 0.9)] });
    expect((await say('/ask the way to you', { bot, sources })).reply.content).toBe('All about contact.');
  });

  it.each(['/help', '/', '/?', ' / ', '/Hilfe'])('%s lists the commands', async (text) => {
    const { reply } = await say(text);
    expect(reply.metadata.via).toBe('command');
    expect(reply.content).toContain('- `/returns` The returns\n- `/person` The person');
  });

  it('/help of the bot overrides the built-in one', async () => {
    const bot = aBot({ shortcuts: [aShortcut('help', { type: 'faq', query: 'contact' })] });
    expect((await say('/help', { bot })).reply.content).toBe('All about contact.');
  });

  it('/help of a bot without commands invites the visitor to ask a question', async () => {
    expect((await say('/help', { bot: aBot({ shortcuts: [] }) })).reply.content).toBe(
      'Just ask your question in your own words.',
    );
  });

  it.each(['/nothing', '/ret'])(
    '%s, which is unknown or ambiguous, is treated as a question without its slash',
    async (text) => {
      const bot = aBot({ settings: { fallback: 'Ask the librarian.' } });
      expect((await say(text, { bot })).reply).toMatchObject({
        content: 'Ask the librarian.',
        metadata: { via: 'fallback' },
      });
      const { sources } = knowing({ [text.slice(1)]: [aFinding('hours', 0.9)] });
      expect((await say(text, { bot, sources })).reply).toMatchObject({ metadata: { via: 'faq', faqId: 'hours' } });
    },
  );

  it.each(['/etc/passwd', '// what', '/ 2 rooms', 'and/or'])('is not recognized in %s', async (text) => {
    const sources = new SourcesInMemory();
    expect(await viaOf(text, { sources })).toBe('fallback');
    expect(sources.lookups).toEqual([text]);
  });
});
