import SwaggerParser from '@apidevtools/swagger-parser';
import { OpenApiCheck, type HttpResponse } from '@heliograph/testing';
import { BillingFixture, newEventId, PATH } from './billing-fixture';

describe('the OpenAPI document', () => {
  let billing: BillingFixture;
  let openApi: OpenApiCheck;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
    openApi = await OpenApiCheck.read(billing.service.url);
  });

  it('is valid and describes the endpoint, which requires no key', async () => {
    await expect(SwaggerParser.validate(structuredClone(openApi.raw) as never)).resolves.toBeDefined();
    expect(Object.keys(openApi.document.paths)).toEqual([PATH]);
    const operations = openApi.document.paths[PATH]!;
    expect(Object.keys(operations)).toEqual(['post']);
    expect(operations['post']!.security).toEqual([]);
    expect(Object.keys(operations['post']!.responses).sort()).toEqual(['200', '400', '413', '500', '503']);
  });

  it('matches the responses', async () => {
    const genuine = JSON.stringify({ id: newEventId(), type: 'x', data: { object: {} } });
    const cases: [number, HttpResponse][] = [
      [200, await billing.post(genuine)],
      [400, await billing.post(genuine, { signature: null })],
      [413, await billing.post(' '.repeat(1_100_000))],
    ];
    for (const [expected, { status, headers, body }] of cases) {
      expect(status).toBe(expected);
      expect(openApi.problems('post', PATH, status, headers.get('content-type'), body)).toBeNull();
    }
  });
});
