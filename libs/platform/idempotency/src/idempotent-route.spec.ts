import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Global,
  Injectable,
  Module,
  Post,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createDataSource, databaseConfigSchema, poolOf, type MigrationSet } from '@heliograph/database';
import { AppError, ErrorFilter, ErrorReport } from '@heliograph/errors';
import { MalformedInput, RequestValidationPipe, rule, type IdentifiedRequest } from '@heliograph/service-kit';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { Claim } from './claim';
import { respondOnce } from './claimed-response';
import { IdempotencyModule } from './idempotency.module';
import { IdempotencyService } from './idempotency.service';
import { IdempotencyClaim, Idempotent } from './idempotent.decorator';
import { idempotencyMigrations } from './migration-set';

class OrderRequest {
  @rule('isItem', 'must be an item', (value) => typeof value === 'string')
  item: string;
}

interface Order {
  number: number;
}

@Injectable()
class OrdersService {
  /** The executed calls. */
  readonly items: string[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly idempotency: IdempotencyService,
  ) {}

  create(item: string, claim: Claim | null): Promise<Order> {
    return this.idempotency.run(claim, () => {
      this.items.push(item);
      if (item === 'unknown') throw new AppError('NOT_FOUND', 'Unknown item.');
      if (item === 'sold out') throw new AppError('LIMIT_REACHED', 'Sold out.');
      return this.insert(claim);
    });
  }

  private insert(claim: Claim | null): Promise<Order> {
    return this.idempotency.run(claim, () =>
      this.dataSource.transaction((transaction) =>
        respondOnce(transaction, claim, () => Promise.resolve({ number: this.items.length })),
      ),
    );
  }
}

@Controller()
class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post('orders')
  @Idempotent('orders.create')
  create(@Body() { item }: OrderRequest, @IdempotencyClaim() claim: Claim | null): Promise<Order> {
    return this.orders.create(item, claim);
  }
}

/** Sets what the guards of a service set: the caller and the input. */
class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    request.callerId = '01900000-0000-7000-8000-000000000001';
    const error = new AppError('PAYLOAD_TOO_LARGE', 'Too large.');
    if (request.headers['content-type'] === 'text/plain') request.body = new MalformedInput(error, null);
    request.input = request.body as object;
    return true;
  }
}

describe('an idempotent route', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let app: NestExpressApplication;
  let keys = 0;
  beforeAll(async () => {
    database = await createTestDatabase([idempotencyMigrations] as MigrationSet[]);
    const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
    dataSource = await createDataSource(config, 'spec', []).initialize();
    const errors = new ErrorFilter(new ErrorReport({ warn: () => undefined, error: () => undefined }));
    @Global()
    @Module({
      providers: [
        { provide: DataSource, useValue: dataSource },
        { provide: Pool, useValue: poolOf(dataSource) },
        { provide: ErrorFilter, useValue: errors },
      ],
      exports: [DataSource, Pool, ErrorFilter],
    })
    class RootModule {}
    @Module({ imports: [RootModule, IdempotencyModule], controllers: [OrdersController], providers: [OrdersService] })
    class OrdersModule {}
    app = await NestFactory.create<NestExpressApplication>(OrdersModule, { logger: false });
    app.useGlobalFilters(errors);
    app.useGlobalGuards(new CallerGuard());
    app.useGlobalPipes(new RequestValidationPipe());
    await app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await app.close();
    await dataSource.destroy();
    await database.drop();
  });

  const newKey = () => `key-${(keys += 1)}`;
  const executed = () => app.get(OrdersService).items.length;
  const stored = (key: string) => database.query('SELECT status FROM idempotency.answers WHERE key = $1', [key]);
  const post = async (body: object | string, key?: string) => {
    const isText = typeof body === 'string';
    const response = await fetch(`${await app.getUrl()}/orders`, {
      method: 'POST',
      body: isText ? body : JSON.stringify(body),
      headers: {
        'Content-Type': isText ? 'text/plain' : 'application/json',
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
    });
    const { status, headers } = response;
    return { status, replayed: headers.get('idempotent-replayed'), body: (await response.json()) as { code?: string } };
  };

  it('is executed once for each key, and a repetition gets the first response', async () => {
    const key = newKey();
    const first = await post({ item: 'tea' }, key);
    expect(first).toMatchObject({ status: 201, replayed: null });
    const before = executed();
    expect(await post({ item: 'tea' }, key)).toEqual({ ...first, replayed: 'true' });
    expect((await post({ item: 'coffee' }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(executed()).toBe(before);
  });

  it('is executed for every call without a key', async () => {
    const before = executed();
    await post({ item: 'tea' });
    await post({ item: 'tea' });
    expect(executed()).toBe(before + 2);
  });

  it('stores the error of an input that the validation pipe rejects', async () => {
    const key = newKey();
    const before = executed();
    const first = await post({ item: 1 }, key);
    expect(first).toMatchObject({ status: 400, replayed: null, body: { code: 'INVALID_REQUEST' } });
    expect(await stored(key)).toEqual([{ status: 400 }]);
    expect(await post({ item: 1 }, key)).toEqual({ ...first, replayed: 'true' });
    expect((await post({ item: 2 }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(executed()).toBe(before);
  });

  it('compares a rejected input with the first request', async () => {
    const key = newKey();
    await post({ item: 'tea' }, key);
    expect((await post({ item: 1 }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await post({ item: 'tea' }, key)).replayed).toBe('true');
  });

  it('stores nothing for a body that could not be read', async () => {
    const key = newKey();
    const first = await post('x', key);
    expect([first.body.code, await stored(key)]).toEqual(['PAYLOAD_TOO_LARGE', []]);
    expect((await post({ item: 'tea' }, key)).status).toBe(201);
  });

  it('stores a permanent error of its service, but no temporary one', async () => {
    const key = newKey();
    const first = await post({ item: 'unknown' }, key);
    expect(first).toMatchObject({ status: 404, replayed: null });
    expect(await post({ item: 'unknown' }, key)).toEqual({ ...first, replayed: 'true' });
    const temporary = newKey();
    expect((await post({ item: 'sold out' }, temporary)).body.code).toBe('LIMIT_REACHED');
    expect(await stored(temporary)).toEqual([]);
  });
});
