import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import SwaggerParser from '@apidevtools/swagger-parser';
import { AccountFixture } from './account-fixture';

/** The relevant part of the OpenAPI document of another service. */
const SMS_DOCUMENT = {
  openapi: '3.0.0',
  info: { title: 'SMS API', version: '1' },
  paths: {
    '/sms/send': { post: { responses: { 200: { description: 'Sent' } } } },
    '/api/v1/sms/send': {
      post: {
        operationId: 'v1SendSms',
        responses: {
          202: {
            description: 'Accepted',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/V1Contact' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      V1Contact: { type: 'object', properties: { part: { $ref: '#/components/schemas/Part' } } },
      Part: { type: 'string' },
      Unused: { type: 'string' },
    },
  },
};

describe('the reference of the v1 API', () => {
  let fixture: AccountFixture;
  let sms: Server;
  let isUp = false;
  let isSilent = false;
  let requests = 0;
  beforeAll(async () => {
    sms = createServer((_request, response) => {
      requests += 1;
      if (isSilent) return;
      response.statusCode = isUp ? 200 : 500;
      response.end(JSON.stringify(SMS_DOCUMENT));
    });
    await new Promise<void>((resolve) => sms.listen(0, '127.0.0.1', resolve));
    const shared = await AccountFixture.shared();
    fixture = await shared.beside({ SMS_API_URL: `http://127.0.0.1:${(sms.address() as AddressInfo).port}` });
  });
  afterAll(async () => {
    await fixture.service.stop();
    sms.closeAllConnections();
    sms.close();
  });
  afterEach(() => jest.restoreAllMocks());

  it('is one valid document of all services, which also contains their schemas', async () => {
    expect((await fixture.call('GET', '/api/v1/openapi.json')).status).toBe(503);
    isUp = true;
    const response = await fetch(`${fixture.service.url}/api/v1/openapi.json`);
    const document = (await response.json()) as typeof SMS_DOCUMENT;
    await expect(SwaggerParser.validate(structuredClone(document) as never)).resolves.toBeDefined();
    const paths = Object.keys(document.paths);
    expect(paths).toEqual(expect.arrayContaining(['/api/v1/sms/send', '/api/v1/contacts']));
    expect(paths.filter((path) => !path.startsWith('/api/v1/'))).toEqual([]);
    const { V1Contact, SmsV1Contact, SmsPart } = document.components.schemas as Record<string, object>;
    expect(V1Contact).toHaveProperty('properties.email');
    expect(SmsV1Contact).toEqual({ type: 'object', properties: { part: { $ref: '#/components/schemas/SmsPart' } } });
    expect(SmsPart).toEqual({ type: 'string' });
    expect(document.components.schemas).not.toHaveProperty('SmsUnused');
    isUp = false;
    expect((await fixture.call('GET', '/api/v1/openapi.json')).status).toBe(200);
  });

  it('is served from memory at once while the other services do not respond, however old it is', async () => {
    isUp = true;
    const read = async () => (await fetch(`${fixture.service.url}/api/v1/openapi.json`)).text();
    const known = await read();
    isSilent = true;
    const before = requests;
    const later = Date.now() + 61_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    const startedAt = performance.now();
    const documents = await Promise.all(Array.from({ length: 20 }, read));
    // A read of the silent service would end after three seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    expect(new Set([known, ...documents]).size).toBe(1);
    expect(requests - before).toBe(1);
    isSilent = false;
  });

  it('is displayed at /api/v1/docs', async () => {
    const response = await fetch(`${fixture.service.url}/api/v1/docs`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const urls = [...(await response.text()).matchAll(/(?:href|src)="(\/docs[^"#]*)/g)].map(([, url]) => url!);
    expect(urls).toContain('/docs/audience/contacts');
    const answers = await Promise.all([...new Set(urls)].map((url) => fetch(`${fixture.service.url}${url}`)));
    expect(answers.filter(({ ok }) => !ok).map(({ url }) => url)).toEqual([]);
  });
});
