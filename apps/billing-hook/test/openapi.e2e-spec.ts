import SwaggerParser from '@apidevtools/swagger-parser';
import { answerOf, BillingFixture, newEventId, PATH } from './billing-fixture';

interface Operation {
  operationId: string;
  security?: object[];
  responses: Record<string, { content?: Record<string, { schema: { properties?: object } }> }>;
}

describe('the OpenAPI document', () => {
  let billing: BillingFixture;
  let paths: Record<string, Record<string, Operation>>;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
    const { body } = await answerOf(await fetch(`${billing.service.url}/openapi.json`));
    ({ paths } = (await SwaggerParser.validate(body as never)) as never);
  });

  it('describes the one endpoint, which needs no key', () => {
    expect(Object.keys(paths)).toEqual([PATH]);
    expect(Object.keys(paths[PATH]!)).toEqual(['post']);
    expect(paths[PATH]!['post']!.security).toBeUndefined();
  });

  it('lists every answer', () => {
    expect(Object.keys(paths[PATH]!['post']!.responses).sort()).toEqual(['200', '400', '413', '500', '503']);
  });

  it('is what the answers look like', async () => {
    const { responses } = paths[PATH]!['post']!;
    const fieldsFor = (status: number) =>
      Object.keys(responses[String(status)]!.content!['application/json']!.schema.properties!).sort();
    const genuine = JSON.stringify({ id: newEventId(), type: 'x', data: { object: {} } });
    for (const response of [
      await billing.post(genuine),
      await billing.post(genuine, { signature: null }),
      await billing.post(' '.repeat(1_100_000)),
    ]) {
      expect(Object.keys(response.body).sort()).toEqual(fieldsFor(response.status));
    }
  });
});
