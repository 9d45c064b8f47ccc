import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, ErrorReport, messagingErrorBody } from '@heliograph/errors';
import { serveHotRoutes } from './hot-routes';

describe('hot routes', () => {
  let server: Server;
  let url: string;
  let isClosed = false;
  const logged: Record<string, unknown>[] = [];
  const begun: (string | undefined)[] = [];
  beforeAll(async () => {
    server = createServer((_request, response) => response.end('the framework'));
    serveHotRoutes(server, {
      routes: [
        {
          method: 'POST',
          path: '/hot',
          maxBytes: 100,
          assertOpen: () => {
            if (isClosed) throw new AppError('SERVICE_UNAVAILABLE', 'Closed.');
          },
          serve: async (body) => {
            const text = body.toString();
            if (text === 'refuse') throw new AppError('INVALID_PAYLOAD', 'No.', { headers: { 'X-Why': 'because' } });
            if (text === 'break') throw new TypeError('x is not a function');
            return Promise.resolve({ text });
          },
        },
      ],
      begin: (request, response) => {
        begun.push(request.url);
        response.setHeader('X-Request-Id', 'r-1');
      },
      report: new ErrorReport({ warn: (fields) => logged.push(fields), error: (fields) => logged.push(fields) }),
      errorBody: messagingErrorBody,
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const post = async (path: string, body: string, method = 'POST') => {
    const response = await fetch(`${url}${path}`, { method, ...(method === 'GET' ? {} : { body }) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('send the result of their method as JSON, with the headers that were set before', async () => {
    const { status, headers, text } = await post('/hot', 'ä');
    expect([status, JSON.parse(text)]).toEqual([200, { text: 'ä' }]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-request-id')).toBe('r-1');
    expect(begun.at(-1)).toBe('/hot');
  });

  it('send an error in the format of the API with its headers, and do not log it', async () => {
    const { status, headers, text } = await post('/hot', 'refuse');
    expect([status, JSON.parse(text)]).toEqual([400, { code: 'INVALID_PAYLOAD', message: 'No.' }]);
    expect(headers.get('x-why')).toBe('because');
    expect(logged).toEqual([]);
  });

  it('send no details of an unexpected error, and log it with the request id', async () => {
    const { status, text } = await post('/hot', 'break');
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(text).not.toContain('function');
    expect(logged).toMatchObject([
      { requestId: 'r-1', method: 'POST', path: '/hot', err: expect.any(TypeError) as Error },
    ]);
  });

  it('reject a body that is too large', async () => {
    expect((await post('/hot', 'x'.repeat(101))).status).toBe(413);
  });

  it('can reject a call before its body is read', async () => {
    isClosed = true;
    expect((await post('/hot', 'x'.repeat(101))).status).toBe(503);
    isClosed = false;
  });

  it.each([
    ['GET', '/hot'],
    ['POST', '/hot?x=1'],
    ['POST', '/hot/'],
    ['POST', '/other'],
  ])('pass %s %s to the framework', async (method, path) => {
    expect((await post(path, '', method)).text).toBe('the framework');
  });
});
