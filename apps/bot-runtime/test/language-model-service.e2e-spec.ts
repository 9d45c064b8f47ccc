import { until } from '@heliograph/testing';
import { BotFixture, type Message } from './bot-fixture';
import type { MadeBot } from './make-bot';
import { ModelServer, saying } from './model-server';

const ARTICLE = {
  title: 'Sending things back',
  body: 'The warehouse inspects every parcel of returned shoes for damage within five working days.',
  url: 'https://shop.example/returns',
};
/** Shares words with the article, but is no question that the article itself answers. */
const QUESTION = 'How many of your warehouse staff speak Polish when a parcel comes?';
const ANSWER = 'Every parcel is inspected for damage within five working days [1]. The passages name no languages [1].';
const TEXT = 'Every parcel is inspected for damage within five working days. The passages name no languages.';

interface Answered {
  userMessage: Message;
  reply: Message;
  paused: boolean;
}

describe('a bot of a service with a language model', () => {
  let model: ModelServer;
  let fixture: BotFixture;
  let bot: MadeBot;

  beforeAll(async () => {
    model = await ModelServer.start();
    fixture = await BotFixture.start({ environment: { ...model.environment, BOT_MODEL_DAILY_TOKENS: '4000' } });
  });
  afterAll(async () => {
    await fixture.stop();
    await model.stop();
  });
  beforeEach(async () => {
    model.scripts = [saying(ANSWER)];
    model.requests.length = 0;
    bot = await fixture.bot({ knowledge: [ARTICLE] });
  });
  const ask = async (text = QUESTION, made = bot): Promise<Answered> => {
    const answer = await fixture.say(await fixture.chat(made.publicId), text);
    expect(answer.status).toBe(201);
    return answer.body as unknown as Answered;
  };

  it('answers with it what FAQ and knowledge do not, and names its sources', async () => {
    const { reply } = await ask();
    expect(reply).toMatchObject({
      content: TEXT,
      metadata: { author: 'bot', via: 'model', sources: [{ title: ARTICLE.title, url: ARTICLE.url }] },
    });
    expect(JSON.parse(model.requests[0]?.body.messages[1]?.content ?? '')).toMatchObject({
      question: QUESTION,
      passages: [{ number: 1, title: ARTICLE.title }],
    });
  });

  it('tells it what was said before', async () => {
    const chat = await fixture.chat(bot.publicId);
    await fixture.say(chat, 'hello');
    await fixture.say(chat, QUESTION);
    expect(JSON.parse(model.requests[0]?.body.messages[1]?.content ?? '')).toMatchObject({
      earlier: [{ from: 'visitor', text: 'hello' }, { from: 'assistant' }],
    });
  });

  it('shows the answer while it is written, to who wants a stream, and stores it once', async () => {
    const chat = await fixture.chat(bot.publicId);
    const { status, text } = await fixture.say(chat, QUESTION, {}, { Accept: 'text/event-stream' });
    expect(status).toBe(200);
    const events = [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, name, data]) => ({
      name,
      data: JSON.parse(data ?? '') as { text?: string; reply?: Message },
    }));
    const deltas = events.filter(({ name }) => name === 'delta').map(({ data }) => data.text ?? '');
    expect(deltas.length).toBeGreaterThan(1);
    expect(TEXT.startsWith(deltas.join(''))).toBe(true);
    expect(events.at(-1)).toMatchObject({ name: 'done', data: { reply: { content: TEXT } } });
    expect((await fixture.transcript(chat)).map(({ content }) => content)).toEqual([QUESTION, TEXT]);
  });

  it('falls back when the model knows no answer, fails, or its owner wants none of it', async () => {
    const without = await fixture.bot({ knowledge: [ARTICLE], settings: { languageModel: { enabled: false } } });
    expect((await ask(QUESTION, without)).reply.metadata['via']).toBe('fallback');
    expect(model.requests).toHaveLength(0);
    model.scripts = [saying('NO_ANSWER')];
    expect((await ask()).reply.metadata['via']).toBe('fallback');
    model.scripts = [(response) => void response.writeHead(500).end()];
    expect((await ask()).reply.metadata['via']).toBe('fallback');
  });

  it('asks the model nothing that it can answer by itself', async () => {
    const knowing = await fixture.bot({ faqs: [{ question: 'When are you open?', answer: 'From 9 to 5.' }] });
    expect((await ask('When are you open?', knowing)).reply.content).toBe('From 9 to 5.');
    expect((await ask('talk to a human', knowing)).reply.metadata['via']).toBe('handoff');
    expect((await ask('hi', knowing)).reply.metadata['via']).toBe('small-talk');
    expect(model.requests).toHaveLength(0);
  });

  it('falls back when the bot has used up its tokens of the day', async () => {
    model.scripts = [saying(ANSWER, { usage: 3_500 })];
    expect((await ask()).reply.metadata['via']).toBe('model');
    expect((await ask()).reply.metadata['via']).toBe('fallback');
    expect(model.requests).toHaveLength(1);
  });

  it('is stopped in the middle of an answer without storing another one in its place', async () => {
    const beside = await fixture.beside({ SHUTDOWN_GRACE_MS: '300' });
    let hasBegun = false;
    model.scripts = [saying(ANSWER, { between: () => new Promise(() => (hasBegun = true)) })];
    const chat = await beside.chat(bot.publicId);
    const answer = beside.say(chat, QUESTION, {}, { 'Idempotency-Key': 'once' }).catch(() => null);
    await until('the model writes', () => hasBegun);
    await beside.service.stop();
    await answer;
    await until('the model was left', () => model.requests[0]?.isAborted);
    expect(await fixture.transcript(chat)).toEqual([]);
    model.scripts = [saying(ANSWER)];
    const again = await fixture.say(chat, QUESTION, {}, { 'Idempotency-Key': 'once' });
    expect([again.status, (again.body as unknown as Answered).reply.content]).toEqual([201, TEXT]);
  });
});

describe('a bot of a service without a language model', () => {
  it('falls back, and asks nobody', async () => {
    const fixture = await BotFixture.start();
    try {
      const { publicId } = await fixture.bot({ knowledge: [ARTICLE] });
      const { body } = await fixture.say(await fixture.chat(publicId), QUESTION);
      expect((body as unknown as Answered).reply.metadata).toEqual({ author: 'bot', via: 'fallback' });
    } finally {
      await fixture.stop();
    }
  });
});
