import SwaggerParser from '@apidevtools/swagger-parser';
import { OpenApiCheck, type HttpResponse } from '@heliograph/testing';
import { BotFixture } from './bot-fixture';

const CHAT = '/api/v1/chat/conversations';

describe('the OpenAPI document', () => {
  let bots: BotFixture;
  let openApi: OpenApiCheck;
  beforeAll(async () => {
    const shared = await BotFixture.shared();
    bots = await shared.beside({ BOT_STARTS_PER_5_MINUTES: '50', BOT_MESSAGES_PER_MINUTE: '10' });
    openApi = await OpenApiCheck.read(bots.url);
  });
  afterAll(() => bots.service.stop());

  it('is valid OpenAPI with every operation of the chat, and requires the token of the conversation where it is needed', async () => {
    await expect(SwaggerParser.validate(structuredClone(openApi.raw) as never)).resolves.toBeDefined();
    const described = Object.entries(openApi.document.paths)
      .filter(([path]) => path.startsWith('/api/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { security }]) => [method.toUpperCase(), path, security?.length ?? 0]),
      );
    expect(described.sort()).toEqual([
      ['GET', `${CHAT}/{id}`, 1],
      ['GET', `${CHAT}/{id}/events`, 1],
      ['GET', `${CHAT}/{id}/messages`, 1],
      ['POST', CHAT, 0],
      ['POST', `${CHAT}/{id}/end`, 1],
      ['POST', `${CHAT}/{id}/feedback`, 1],
      ['POST', `${CHAT}/{id}/forms/{formId}/submissions`, 1],
      ['POST', `${CHAT}/{id}/messages`, 1],
      ['POST', `${CHAT}/{id}/reopen`, 1],
    ]);
  });

  it('describes the responses of every operation', async () => {
    const { publicId } = await bots.bot({
      faqs: [{ id: 'hours', question: 'What are your opening hours?', answer: 'From 9 to 5', label: 'Hours' }],
      shortcuts: [{ id: 's', label: 'S', command: '/s', query: 'opening hours' }],
      forms: [
        {
          id: 'lead',
          title: 'Lead',
          keywords: ['demo'],
          fields: [
            { key: 'email', type: 'email', required: true },
            { key: 'size', type: 'select', options: ['S'] },
          ],
        },
      ],
    });
    const start = (body: unknown) => bots.post(CHAT, body);
    const chat = await bots.chat(publicId, { message: 'xyzzy' });
    const busy = await bots.chat(publicId);
    const paused = await bots.chat(publicId);
    await bots.rows('UPDATE bots.conversations SET is_taken_over = true WHERE id = $1', [paused.id]);
    const lead = { answers: { email: 'a@example.com' } };
    const key = { 'Idempotency-Key': 'one' };
    const messages = 'POST /{id}/messages';
    const forms = 'POST /{id}/forms/{formId}/submissions';
    const cases: [string, number, HttpResponse][] = [
      ['POST ', 201, await start({ botId: publicId })],
      ['POST ', 201, await start({ botId: publicId, message: 'demo' })],
      ['POST ', 201, await start({ botId: publicId, message: 'xyzzy' })],
      ['POST ', 400, await start({ botId: publicId, message: '' })],
      ['POST ', 404, await start({})],
      ['POST ', 413, await start(' '.repeat(1_100_000))],
      [messages, 201, await bots.say(chat, 'xyzzy', {}, key)],
      [messages, 201, await bots.say(chat, 'demo')],
      [messages, 201, await bots.say(paused, 'Hi')],
      [messages, 400, await bots.say(chat, '')],
      [messages, 401, await bots.say({ ...chat, token: 'x' }, 'Hi')],
      [messages, 409, await bots.say(chat, 'plugh', {}, key)],
      [messages, 413, await bots.postOn(chat, '/messages', ' '.repeat(1_100_000))],
      [forms, 201, await bots.postOn(chat, '/forms/lead/submissions', lead)],
      [forms, 201, await bots.postOn(paused, '/forms/lead/submissions', lead)],
      [forms, 400, await bots.postOn(chat, '/forms/lead/submissions', {})],
      [forms, 404, await bots.postOn(chat, '/forms/nobody/submissions', lead)],
      ['GET /{id}/messages', 200, await bots.on(chat, '/messages?limit=2')],
      ['GET /{id}/messages', 200, await bots.on(chat, '/messages')],
      ['GET /{id}/messages', 400, await bots.on(chat, '/messages?limit=x')],
      ['GET /{id}', 200, await bots.on(chat, '')],
      ['GET /{id}', 401, await bots.on({ ...chat, token: 'x' }, '')],
      ['GET /{id}/events', 400, await bots.on(chat, '/events?after=x')],
      ['POST /{id}/feedback', 200, await bots.postOn(chat, '/feedback', { rating: 3, message: 'Fine' })],
      ['POST /{id}/feedback', 400, await bots.postOn(chat, '/feedback', {})],
      ['POST /{id}/end', 200, await bots.postOn(chat, '/end', {})],
      ['POST /{id}/reopen', 200, await bots.postOn(chat, '/reopen', {})],
      ['GET /{id}', 200, await bots.on(chat, '')],
    ];
    await bots.rows(`UPDATE bots.conversations SET status = 'closed' WHERE id = $1`, [chat.id]);
    cases.push(['POST /{id}/reopen', 409, await bots.postOn(chat, '/reopen', {})]);
    cases.push(['POST /{id}/end', 409, await bots.postOn(chat, '/end', {})]);
    await Promise.all(Array.from({ length: 10 }, () => bots.say(busy, '')));
    cases.push([messages, 429, await bots.say(busy, 'Hi')]);
    for (const [call, status, { headers, body, ...answer }] of cases) {
      const [method = '', path = ''] = call.split(' ');
      expect([call, answer.status, answer.status === status ? null : body]).toEqual([call, status, null]);
      const problems = openApi.problems(method, `${CHAT}${path}`, status, headers.get('content-type'), body);
      expect([call, status, problems]).toEqual([call, status, null]);
    }
  });
});
