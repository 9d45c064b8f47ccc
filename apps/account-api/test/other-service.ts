import { createServer, type Server } from 'node:http';

const OK = { 200: { description: 'Sent', content: { 'application/json': { schema: { type: 'object' } } } } };

const DOCUMENT = {
  openapi: '3.0.0',
  info: { title: 'SMS API', version: '1' },
  paths: {
    '/sms/send': { post: { operationId: 'sendSms', tags: ['Send'], summary: 'Send a message', responses: OK } },
    '/api/v1/sms/send': { post: { operationId: 'v1SendSms', tags: ['v1'], summary: 'Send a message', responses: OK } },
  },
};

/** A server with the OpenAPI document of another service. */
export async function otherService(): Promise<Server> {
  const server = createServer((_request, response) => response.end(JSON.stringify(DOCUMENT)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
