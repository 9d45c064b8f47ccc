import SwaggerParser from '@apidevtools/swagger-parser';
import { answerOf, envelope, HookFixture, PATH, type Answer } from './hook-fixture';

interface Operation {
  security?: object[];
  responses: Record<string, { content?: Record<string, { schema: { properties?: object } }> }>;
}

describe('the OpenAPI document', () => {
  let hook: HookFixture;
  let paths: Record<string, Record<string, Operation>>;
  beforeAll(async () => {
    hook = await HookFixture.shared();
    const { body } = await answerOf(await fetch(`${hook.service.url}/openapi.json`));
    ({ paths } = (await SwaggerParser.validate(body as never)) as never);
  });

  it('describes the handshake and the receiver, which need no key', () => {
    expect(Object.keys(paths)).toEqual([PATH]);
    expect(Object.keys(paths[PATH]!).sort()).toEqual(['get', 'post']);
    for (const operation of Object.values(paths[PATH]!)) expect(operation.security).toBeUndefined();
  });

  it('lists every answer', () => {
    expect(Object.keys(paths[PATH]!['get']!.responses).sort()).toEqual(['200', '403', '500']);
    expect(Object.keys(paths[PATH]!['post']!.responses).sort()).toEqual(['200', '400', '413', '500', '503']);
  });

  it('matches the real answers', async () => {
    const check = (method: string, { status, body }: Answer) => {
      const { content } = paths[PATH]![method]!.responses[String(status)]!;
      expect(Object.keys(body).sort()).toEqual(Object.keys(content!['application/json']!.schema.properties!).sort());
    };
    check('post', await hook.post(envelope({})));
    check('post', await hook.post(envelope({}), { signature: null }));
    check('post', await hook.post(' '.repeat(4_100_000)));
    check('get', await answerOf(await fetch(`${hook.service.url}${PATH}`)));
    expect(Object.keys(paths[PATH]!['get']!.responses['200']!.content!)).toEqual(['text/plain']);
  });
});
