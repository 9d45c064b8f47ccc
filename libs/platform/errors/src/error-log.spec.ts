import express from 'express';
import { Controller, Get, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import request from 'supertest';
import { AppError, serviceUnavailable } from './app-error';
import { ErrorFilter, ErrorReport } from './error-filter';

@Controller()
class FailingController {
  @Get('away')
  away(): never {
    throw serviceUnavailable('database');
  }

  @Get('off')
  off(): never {
    throw new AppError('CHATAPP_DISABLED', 'Switched off.');
  }

  @Get('defect')
  defect(): never {
    throw new TypeError('x is not a function');
  }
}

@Module({ controllers: [FailingController] })
class FailingModule {}

describe('the log of errors', () => {
  let app: INestApplication;
  const warnings: Record<string, unknown>[] = [];
  const errors: Record<string, unknown>[] = [];

  beforeAll(async () => {
    app = await NestFactory.create(FailingModule, { logger: false });
    app.useGlobalFilters(
      new ErrorFilter(
        new ErrorReport({ warn: (fields) => warnings.push(fields), error: (fields) => errors.push(fields) }),
      ),
    );
    // In a service, the guards set the fields, and the context of the request the header.
    app.use((call: object, response: express.Response, next: () => void) => {
      Object.assign(call, { organizationId: 'org-1', workspaceId: 'workspace-1' });
      response.setHeader('X-Request-Id', 'order-4711');
      next();
    });
    await app.init();
  });
  afterAll(() => app.close());

  const get = (path: string) => request(app.getHttpServer() as ReturnType<typeof express>).get(path);

  it('reports an outage once per second with the number of affected calls', async () => {
    for (let call = 0; call < 20; call++) await get('/away').expect(503).expect('Retry-After', '2');
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThan(20);
    expect(warnings[0]).toMatchObject({ path: '/away', calls: 1 });
  });

  it('reports disabled features in the same way, separately from outages', async () => {
    const before = warnings.length;
    for (let call = 0; call < 20; call++) await get('/off').expect(503);
    expect(warnings.length - before).toBeLessThan(20);
    expect(warnings[before]).toMatchObject({ path: '/off', code: 'CHATAPP_DISABLED', calls: 1 });
    expect(errors).toEqual([]);
  });

  it('has links to the explanations of the codes in the responses', async () => {
    await get('/off').expect('Link', '</docs/guides/errors#chatapp-disabled>; rel="help"');
    await get('/nothing').expect('Link', '</docs/guides/errors#not-found>; rel="help"');
  });

  it('reports every unexpected error', async () => {
    await get('/defect').expect(500);
    await get('/defect').expect(500);
    expect(errors).toHaveLength(2);
    const ids = { requestId: 'order-4711', organizationId: 'org-1', workspaceId: 'workspace-1' };
    expect(errors[0]).toMatchObject({ ...ids, path: '/defect', method: 'GET' });
  });
});
