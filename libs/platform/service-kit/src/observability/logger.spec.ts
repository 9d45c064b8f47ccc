import { createTestDatabase } from '@heliograph/testing';
import { DataSource, QueryFailedError } from 'typeorm';
import { createLogger } from './logger';

function capture() {
  const lines: string[] = [];
  const log = createLogger('spec', 'debug', { write: (line: string) => void lines.push(line) });
  return { log, text: () => lines.join(''), entry: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

describe('the logger', () => {
  it('writes one JSON line per entry, with service, time and message', () => {
    const { log, entry } = capture();
    log.info({ port: 1 }, 'listening');
    expect(entry()).toMatchObject({
      service: 'spec',
      port: 1,
      msg: 'listening',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    });
  });

  it('omits parameters and row contents of a failed statement', async () => {
    const database = await createTestDatabase([]);
    try {
      await database.query('CREATE TABLE secrets (name text PRIMARY KEY)');
      await database.query('INSERT INTO secrets VALUES ($1)', ['hunter2']);
      const error: unknown = await database
        .query('INSERT INTO secrets VALUES ($1)', ['hunter2'])
        .catch((e: unknown) => e);
      expect(JSON.stringify(error)).toContain('hunter2');
      const { log, text, entry } = capture();
      log.error({ err: error }, 'failed');
      log.error({ err: new Error('outer', { cause: error }) }, 'failed');
      log.error(
        { err: Object.assign(new Error('typeorm'), { query: 'INSERT', parameters: ['hunter2'], driverError: error }) },
        'x',
      );
      expect(text()).not.toContain('hunter2');
      expect(entry()['err']).toMatchObject({ message: 'typeorm', stack: expect.any(String) as string });
      expect(text()).toContain('23505');
    } finally {
      await database.drop();
    }
  });

  it('masks values that messages of database errors quote, and keeps names', async () => {
    const database = await createTestDatabase([]);
    const dataSource = new DataSource({ type: 'postgres', url: database.url });
    try {
      await dataSource.initialize();
      await dataSource.query('CREATE TABLE people (id uuid, age integer, email text)');
      await dataSource.query('CREATE UNIQUE INDEX people_email ON people (email)');
      await dataSource.query(`INSERT INTO people (email) VALUES ('hunter2')`);
      const { log, text } = capture();
      for (const [statement, value] of [
        ['INSERT INTO people (id) VALUES ($1)', 'hunter2'],
        ['INSERT INTO people (id) VALUES ($1)', 'hunter2 "quoted"\nhunter2'],
        ['INSERT INTO people (age) VALUES ($1)', 'hunter2'],
        ['SELECT $1::timestamptz', 'hunter2'],
        ['SELECT $1::text[]', '{"hunter2'],
        ['SELECT $1::jsonb', '{"hunter2"'],
        ['INSERT INTO people (email) VALUES ($1)', 'hunter2'],
      ]) {
        const error: unknown = await dataSource.query(statement!, [value]).catch((e: unknown) => e);
        expect(error).toBeInstanceOf(QueryFailedError);
        log.error({ err: error }, 'failed');
        log.error({ err: new Error('outer', { cause: error }) }, 'failed');
      }
      expect(text()).not.toContain('hunter2');
      expect(text()).toContain('invalid input syntax for type uuid: \\"…\\"');
      expect(text()).toContain('people_email');
    } finally {
      await dataSource.destroy();
      await database.drop();
    }
  });

  it('omits headers with secrets', () => {
    const { log, text } = capture();
    log.info(
      { headers: { authorization: 'Bearer s3cret', 'x-api-key': 's3cret', cookie: 'session=s3cret', accept: '*' } },
      'call',
    );
    expect(text()).not.toContain('s3cret');
    expect(text()).toContain('accept');
  });

  it('logs causes up to a limit', () => {
    const loop = new Error('loop');
    loop.cause = loop;
    const { log, entry } = capture();
    log.error({ err: loop }, 'x');
    expect(entry()['err']).toMatchObject({ message: 'loop', cause: { message: 'loop' } });
  });

  it('accepts any thrown value', () => {
    const { log, entry } = capture();
    log.error({ err: 'just text' }, 'x');
    expect(entry()['err']).toBe('just text');
  });
});
