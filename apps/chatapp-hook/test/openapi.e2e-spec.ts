import SwaggerParser from '@apidevtools/swagger-parser';
import { httpCall, OpenApiCheck, type HttpResponse } from '@heliograph/testing';
import { envelope, HookFixture, PATH } from './hook-fixture';

describe('the OpenAPI document', () => {
  let hook: HookFixture;
  let openApi: OpenApiCheck;
  beforeAll(async () => {
    hook = await HookFixture.shared();
    openApi = await OpenApiCheck.read(hook.service.url);
  });

  it('is valid and describes the handshake and the receiver, which require no key', async () => {
    await expect(SwaggerParser.validate(structuredClone(openApi.raw) as never)).resolves.toBeDefined();
    expect(Object.keys(openApi.document.paths)).toEqual([PATH]);
    const operations = openApi.document.paths[PATH]!;
    expect(Object.keys(operations).sort()).toEqual(['get', 'post']);
    for (const operation of Object.values(operations)) expect(operation.security).toEqual([]);
    expect(Object.keys(operations['get']!.responses).sort()).toEqual(['200', '403', '500']);
    expect(Object.keys(operations['get']!.responses['200']!.content!)).toEqual(['text/plain']);
    expect(Object.keys(operations['post']!.responses).sort()).toEqual(['200', '400', '413', '500', '503']);
  });

  it('matches the responses', async () => {
    const cases: [string, number, HttpResponse][] = [
      ['post', 200, await hook.post(envelope({}))],
      ['post', 400, await hook.post(envelope({}), { signature: null })],
      ['post', 413, await hook.post(' '.repeat(4_100_000))],
      ['get', 403, await httpCall(`${hook.service.url}${PATH}`)],
    ];
    for (const [method, expected, { status, headers, body }] of cases) {
      expect([method, status]).toEqual([method, expected]);
      expect(openApi.problems(method, PATH, status, headers.get('content-type'), body)).toBeNull();
    }
  });
});
