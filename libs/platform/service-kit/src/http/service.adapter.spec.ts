import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import { createLogger } from '../observability/logger';
import { downloadOf, HttpResult } from './http-result';
import { ServiceAdapter } from './service.adapter';

/** A file whose end never comes, unless it fails instead of its next piece. */
class SlowFile extends Readable {
  reads = 0;
  readonly end = new Promise<void>((resolve) => this.once('close', resolve));

  constructor(
    private readonly pieces: number,
    private readonly failure: Error | null,
  ) {
    super();
  }

  override _read(): void {
    this.reads++;
    if (this.reads <= this.pieces) this.push('a piece');
    else if (this.failure) this.destroy(this.failure);
  }
}

let file: SlowFile;

@Controller()
class ResultsController {
  @Get('json')
  @HttpCode(201)
  json(): HttpResult {
    return new HttpResult({ status: 202, headers: { 'X-Kind': 'json' }, body: { accepted: true } });
  }

  @Get('default')
  @HttpCode(201)
  default(): HttpResult {
    return new HttpResult({ body: { made: true } });
  }

  @Get('text')
  text(): HttpResult<string> {
    return new HttpResult({ headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'grün' });
  }

  @Get('bytes')
  bytes(): HttpResult<Buffer> {
    return new HttpResult({ headers: { 'Content-Type': 'text/x-unknown' }, body: Buffer.from([0, 255]) });
  }

  @Get('file')
  file(): HttpResult<Readable> {
    return downloadOf({
      content: Readable.from([Buffer.from('a'), Buffer.from('b')]),
      mediaType: 'text/plain',
      bytes: 2,
      disposition: 'attachment; filename="a.txt"',
      cacheControl: 'private',
    });
  }

  @Get('slow')
  slow(): HttpResult<Readable> {
    return new HttpResult<Readable>({ body: file });
  }
}

const log = createLogger('test', 'silent');

let app: NestExpressApplication;
beforeAll(async () => {
  @Module({ controllers: [ResultsController] })
  class ResultsModule {}
  app = await NestFactory.create<NestExpressApplication>(ResultsModule, new ServiceAdapter(log), { logger: false });
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

const get = async (path: string, init?: RequestInit): Promise<Response> => fetch(`${await app.getUrl()}/${path}`, init);

describe('the request and the response', () => {
  it('have the prototypes of Express before Express handles them, because a change of the prototype is slow', async () => {
    const { request, response } = app.getHttpAdapter().getInstance() as Express;
    const created: object[] = [];
    const server = app.getHttpServer() as Server;
    const first = (...call: object[]): void =>
      void created.push(...call.map((one) => Object.getPrototypeOf(one) as object));
    server.prependOnceListener('request', first);
    await get('default');
    expect(created).toHaveLength(2);
    expect(created[0]).toBe(request);
    expect(created[1]).toBe(response);
    expect('protocol' in request).toBe(true);
    expect('json' in response).toBe(true);
  });
});

describe('the result of a controller method', () => {
  it('sets the status and the headers of a JSON body', async () => {
    const response = await get('json');
    expect(response.status).toBe(202);
    expect(response.headers.get('x-kind')).toBe('json');
    expect(await response.json()).toEqual({ accepted: true });
  });

  it('has the status of the route by default', async () => {
    expect((await get('default')).status).toBe(201);
  });

  it('is JSON with its length by default, without a body for HEAD', async () => {
    const response = await get('default');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '13',
    });
    const head = await get('default', { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['13', '']);
  });

  it('can be a text', async () => {
    const response = await get('text');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('grün');
  });

  it('can be bytes, whose media type is sent as it is given', async () => {
    const response = await get('bytes');
    expect(response.headers.get('content-type')).toBe('text/x-unknown');
    expect(response.headers.get('content-length')).toBe('2');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 255]));
  });

  it('can be a file, which is streamed', async () => {
    const response = await get('file');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '2',
      'content-disposition': 'attachment; filename="a.txt"',
      'cache-control': 'private',
      'x-content-type-options': 'nosniff',
    });
    expect(await response.text()).toBe('ab');
  });

  it.each([0, 1])('cuts the connection when a file fails after %s pieces', async (pieces) => {
    file = new SlowFile(pieces, new Error('the disk failed'));
    const response = await get('slow').catch(() => null);
    await expect(response ? response.text() : Promise.reject(new Error('cut before the headers'))).rejects.toThrow();
  });

  it('closes the file when the client leaves', async () => {
    file = new SlowFile(1, null);
    const leave = new AbortController();
    const response = await get('slow', { signal: leave.signal });
    expect(response.status).toBe(200);
    leave.abort();
    await file.end;
  });

  it('of a HEAD request closes the file after its first piece', async () => {
    file = new SlowFile(1, null);
    const response = await get('slow', { method: 'HEAD' });
    expect(response.status).toBe(200);
    await file.end;
  });
});
