import { until } from '@heliograph/testing';
import { messageOf } from './acme-bot';
import { BotFixture, type Message } from './bot-fixture';
import type { MadeBot } from './make-bot';
import { ModelServer, saying } from './model-server';

const ARTICLE = {
  title: 'Sending things back',
  body: 'The warehouse inspects every parcel of returned shoes for damage within five working days.',
  url: 'https://shop.example/returns',
};
/** This question shares words with the article, but the article alone does not answer it. */
const QUESTION = 'How many of your warehouse staff speak Polish when a parcel comes?';
const ANSWER = 'Every parcel is inspected for damage within five working days [1]. The passages name no languages [1].';
const TEXT = 'Every parcel is inspected for damage within five working days. The passages name no languages.';

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
  const ask = async (text = QUESTION, made = bot): Promise<{ reply: Message }> => {
    const answer = await fixture.say(await fixture.chat(made.publicId), text);
    expect(answer.status).toBe(201);
    return { reply: messageOf(answer, 'reply') };
  };

  it('answers questions with the model that FAQs and knowledge do not answer, and names its sources', async () => {
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

  it('sends the earlier messages to the model', async () => {
    const chat = await fixture.chat(bot.publicId);
    await fixture.say(chat, 'hello');
    await fixture.say(chat, QUESTION);
    expect(JSON.parse(model.requests[0]?.body.messages[1]?.content ?? '')).toMatchObject({
      earlier: [{ from: 'visitor', text: 'hello' }, { from: 'assistant' }],
    });
  });

  it('streams the answer while it is written if the client accepts a stream, and stores it once', async () => {
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

  it('returns the fallback when the model has no answer or fails, or when it is disabled for the bot', async () => {
    const without = await fixture.bot({ knowledge: [ARTICLE], settings: { languageModel: { enabled: false } } });
    expect((await ask(QUESTION, without)).reply.metadata['via']).toBe('fallback');
    expect(model.requests).toHaveLength(0);
    model.scripts = [saying('NO_ANSWER')];
    expect((await ask()).reply.metadata['via']).toBe('fallback');
    model.scripts = [(response) => void response.writeHead(500).end()];
    expect((await ask()).reply.metadata['via']).toBe('fallback');
  });

  it('does not call the model for questions that it can answer without it', async () => {
    const knowing = await fixture.bot({ faqs: [{ question: 'When are you open?', answer: 'From 9 to 5.' }] });
    expect((await ask('When are you open?', knowing)).reply.content).toBe('From 9 to 5.');
    expect((await ask('talk to a human', knowing)).reply.metadata['via']).toBe('handoff');
    expect((await ask('hi', knowing)).reply.metadata['via']).toBe('small-talk');
    expect(model.requests).toHaveLength(0);
  });

  it('returns the fallback when the daily token budget of the bot is used up', async () => {
    model.scripts = [saying(ANSWER, { usage: 3_500 })];
    expect((await ask()).reply.metadata['via']).toBe('model');
    expect((await ask()).reply.metadata['via']).toBe('fallback');
    expect(model.requests).toHaveLength(1);
  });

  it('does not store another answer when the service stops during an answer of the model', async () => {
    const beside = await fixture.beside({ SHUTDOWN_GRACE_MS: '300' });
    let hasBegun = false;
    model.scripts = [saying(ANSWER, { between: () => new Promise(() => (hasBegun = true)) })];
    const chat = await beside.chat(bot.publicId);
    const answer = beside.say(chat, QUESTION, {}, { 'Idempotency-Key': 'once' }).catch(() => null);
    await until('the model has started to respond', () => hasBegun);
    await beside.service.stop();
    await answer;
    await until('the request to the model was aborted', () => model.requests[0]?.isAborted);
    expect(await fixture.transcript(chat)).toEqual([]);
    model.scripts = [saying(ANSWER)];
    const again = await fixture.say(chat, QUESTION, {}, { 'Idempotency-Key': 'once' });
    expect([again.status, messageOf(again, 'reply').content]).toEqual([201, TEXT]);
  });
});

describe('a bot of a service without a language model', () => {
  it('returns the fallback and sends no request', async () => {
    const fixture = await BotFixture.shared();
    const { publicId } = await fixture.bot({ knowledge: [ARTICLE] });
    const answer = await fixture.say(await fixture.chat(publicId), QUESTION);
    expect(messageOf(answer, 'reply').metadata).toEqual({ author: 'bot', via: 'fallback' });
  });
});
