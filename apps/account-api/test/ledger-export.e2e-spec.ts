import { get, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { post } from '@heliograph/credits';
import { newId, poolOf } from '@heliograph/database';
import { memoryInUse, until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';

const ENTRIES = 20_000;
const HEADER = 'id,createdAt,workspaceId,creditType,kind,amount,balanceAfter,reference';

/** A reference of this length makes the export larger than all socket buffers. */
const LONG = `order:${'x'.repeat(1_000)}:`;

describe('the export of a ledger', () => {
  let fixture: AccountFixture;
  let large: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    large = await fixture.tenant();
    for (let start = 0; start < ENTRIES; start += 2_000) {
      const postings = Array.from({ length: 2_000 }, (_, index) => posting(large, `${LONG}${start + index}`));
      await post(poolOf(fixture.factory.dataSource), postings);
    }
    await fixture.database.query('ANALYZE credits.ledger');
  }, 120_000);

  const posting = ({ workspace }: Tenant, reference: string) => ({
    organizationId: workspace.organizationId,
    workspaceId: workspace.id,
    creditType: 'sms' as const,
    kind: 'topup' as const,
    amount: 1,
    reference,
    correlationId: null,
  });
  const pathOf = ({ workspace }: Tenant) => `/api/workspaces/${workspace.id}/credits/ledger.csv`;
  const read = (tenant: Tenant, query = '') =>
    fetch(`${fixture.service.url}${pathOf(tenant)}${query}`, { headers: { authorization: `Bearer ${tenant.key}` } });

  it('is a CSV file with only a header if there are no entries', async () => {
    const tenant = await fixture.tenant();
    const response = await read(tenant);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="ledger-${tenant.workspace.slug}.csv"`,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe(`${HEADER}\r\n`);
  });

  it('contains the same fields as the list, without spreadsheet formulas', async () => {
    const tenant = await fixture.tenant();
    const hostile = [
      '=HYPERLINK("http://evil.example")',
      '+1+1',
      '-2+3',
      '@SUM(A1)',
      '\tx',
      '\rx',
      'a,"b"\r\nc',
      'plain',
    ];
    const database = poolOf(fixture.factory.dataSource);
    for (const reference of hostile) await post(database, [{ ...posting(tenant, reference), amount: 2 }]);
    const taken = { ...posting(tenant, 'sms:1'), kind: 'charge' as const, amount: -5 };
    await post(database, [taken]);
    const rows = parse(await (await read(tenant)).text());
    const { data } = await fixture.call<{ entries: Record<string, unknown>[] }>(
      'GET',
      `/api/workspaces/${tenant.workspace.id}/credits/ledger`,
      { key: tenant.key },
    );
    expect(rows.shift()).toEqual(HEADER.split(','));
    expect(rows.map(([id]) => id)).toEqual(data.entries.map(({ id }) => id));
    expect(rows[0]!.slice(1)).toEqual([
      data.entries[0]!['createdAt'],
      tenant.workspace.id,
      'sms',
      'charge',
      '-5',
      '11',
      'sms:1',
    ]);
    const shown = hostile.map((reference) => (/^[=+\-@\t\r]/.test(reference) ? `'${reference}` : reference));
    expect(rows.slice(1).map((row) => row[7])).toEqual(shown.toReversed());
  });

  it('accepts the filters of the list', async () => {
    const tenant = await fixture.tenant();
    const database = poolOf(fixture.factory.dataSource);
    for (const reference of ['order:1', 'order:2', 'order:3']) await post(database, [posting(tenant, reference)]);
    const rows = parse(await (await read(tenant, '?reference=order:2&kind=topup')).text());
    expect(rows.map((row) => row[7])).toEqual(['reference', 'order:2']);
    expect(parse(await (await read(tenant, '?kind=charge')).text())).toHaveLength(1);
  });

  it(`contains each of ${ENTRIES} entries once, and uses constant memory for a slow client`, async () => {
    const ends: Socket[] = [];
    const server = fixture.service.app.getHttpServer() as Server;
    server.on('connection', (socket: Socket) => ends.push(socket));
    const before = await memoryInUse();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${large.key}` };
      get(`${fixture.service.url}${pathOf(large)}`, { headers, agent: false }, resolve).on('error', reject);
    });
    // The client stops reading. `bytesWritten` also counts the data that waits to be sent.
    let written = 0;
    let calls = 0;
    await until('the service stops writing', () => {
      const now = ends[0]!.bytesWritten;
      calls = now === written ? calls + 1 : 0;
      written = now;
      return calls > 20;
    });
    expect(written).toBeLessThan(15_000_000);
    expect((await memoryInUse()) - before).toBeLessThan(10_000_000);

    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
    expect(text.length).toBeGreaterThan(20_000_000);
    const lines = text.trimEnd().split('\r\n').slice(1);
    const numbers = lines.map((line) => Number(line.slice(line.lastIndexOf(':') + 1)));
    expect(numbers).toEqual(Array.from({ length: ENTRIES }, (_, index) => ENTRIES - 1 - index));
  });

  it('stops when the client disconnects, without affecting the service', async () => {
    const { hostname, port } = new URL(fixture.service.url);
    const readers = Array.from({ length: 10 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(`GET ${pathOf(large)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${large.key}\r\n\r\n`);
      return new Promise<void>((resolve) => {
        // The export has started; the client disconnects.
        socket.once('data', () => {
          socket.destroy();
          resolve();
        });
      });
    });
    await Promise.all(readers);
    await until('no export queries the database', async () => {
      const [row] = await fixture.database.query<{ running: string }>(
        `SELECT count(*) AS running FROM pg_stat_activity
         WHERE datname = current_database() AND state <> 'idle' AND query LIKE '%credits.ledger%' AND pid <> pg_backend_pid()`,
      );
      return Number(row!.running) === 0;
    });
    expect((await read(large, '?kind=charge')).status).toBe(200);
  });

  it('is rejected before the first byte is sent', async () => {
    const { status, error } = await fixture.call('GET', pathOf(large), { key: 'msg_live_nobody' });
    expect([status, error.code]).toEqual([401, 'UNAUTHENTICATED']);
    const unknown = `/api/workspaces/${newId()}/credits/ledger.csv`;
    expect(await fixture.call('GET', unknown, { key: large.key })).toMatchObject({ status: 404 });
  });
});

/** Parses CSV according to RFC 4180. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end !== ',') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
