import { unique, until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';
import { ReportCalls } from './report-calls';

interface Import {
  id: string;
  status: string;
  total: number;
  created: number;
  updated: number;
  skipped: number;
  invalid: number;
  errors: { row: number; field: string | null; message: string }[];
  error: { code: string; message: string } | null;
}

interface Contact {
  id: string;
  email: string | null;
  phone: string | null;
  first_name: string | null;
  attributes: Record<string, unknown>;
  consent: Record<string, string>;
  groups: { name: string }[];
  source: string;
}

const PLACE = '/api/v1/contacts/import';

describe('POST /api/v1/contacts/import', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });
  beforeEach(async () => {
    tenant = await fixture.tenant();
  });

  const post = async (body: string | Buffer | FormData, headers: Record<string, string> = {}, key = tenant.key) => {
    const response = await fetch(`${fixture.service.url}${PLACE}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: body as never,
    });
    const json = (await response.json()) as Import & { code?: string; fields?: { field: string }[] };
    return { http: response.status, headers: response.headers, ...json };
  };
  const csv = (text: string | Buffer) => post(text, { 'content-type': 'text/csv' });
  const form = (text: string | Buffer, options?: unknown) => {
    const data = new FormData();
    data.set('file', new Blob([text as never]), 'contacts.csv');
    if (options !== undefined) data.set('options', typeof options === 'string' ? options : JSON.stringify(options));
    return post(data);
  };
  const read = (id: string): Promise<Omit<Import, 'status'> & { status: string }> =>
    fixture.v1('GET', `${PLACE}/${id}`, { key: tenant.key });
  const importOf = async (id: string) => {
    const response = await fetch(`${fixture.service.url}${PLACE}/${id}`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    return (await response.json()) as Import;
  };
  const finished = async ({ id, http }: { id: string; http: number }) => {
    expect(http).toBe(202);
    await until('the import has ended', async () => ['completed', 'failed'].includes((await importOf(id)).status));
    return importOf(id);
  };
  const contacts = async () => {
    const path = '/api/v1/contacts?sort=created_at&limit=100';
    return (await fixture.v1<{ data: Contact[] }>('GET', path, { key: tenant.key })).data;
  };

  const publishedEvents = async () => {
    const [row] = await fixture.database.query<{ events: number }>(
      `SELECT count(*)::int AS events FROM webhooks.events WHERE organization_id = $1 AND type = 'contact.updated'`,
      [tenant.organizationId],
    );
    return row!.events;
  };

  it('imports a CSV file, with an error for each invalid row', async () => {
    const accepted = await form(
      [
        'Email,Phone,First Name,Plan,created',
        'Ann@EXAMPLE.com,+919811111111,Ann,pro,"2020, May"',
        'nonsense,,Bob,free,',
        ',+91 98111-11112,Cy,,x',
        ',,Nobody,,',
        '',
        'ann@example.com,,Anna,team,',
      ].join('\r\n'),
    );
    expect(accepted).toMatchObject({ status: 'queued', total: 0 });
    expect(await finished(accepted)).toMatchObject({
      status: 'completed',
      total: 5,
      created: 2,
      updated: 1,
      skipped: 0,
      invalid: 2,
      error: null,
      errors: [
        { row: 3, field: 'email', message: 'email must be an email address such as ann@example.com.' },
        { row: 5, field: 'email', message: 'The row has neither email nor phone.' },
      ],
    });
    expect(await contacts()).toMatchObject([
      {
        email: 'ann@example.com',
        phone: '+919811111111',
        first_name: 'Anna',
        source: 'import',
        attributes: { Plan: 'team', created: '2020, May' },
      },
      { email: null, phone: '+919811111112', first_name: 'Cy' },
    ]);
    const errors = await fetch(`${fixture.service.url}${PLACE}/${accepted.id}/errors.csv`, {
      headers: { authorization: `Bearer ${tenant.key}` },
    });
    expect([errors.headers.get('content-type'), (await errors.text()).split('\r\n')[0]]).toEqual([
      'text/csv; charset=utf-8',
      'row,field,message',
    ]);
    // Errors are stored for some time, so they contain no personal data.
    expect(JSON.stringify(await importOf(accepted.id))).not.toContain('nonsense');
  });

  it('applies the options', async () => {
    const group = await fixture.v1<{ id: string }>('POST', '/api/v1/contacts/groups', {
      key: tenant.key,
      body: { name: 'Imported' },
    });
    const groupId = group.id;
    const known = { email: 'known@example.com', consent: { email: 'opted_out' } };
    await fixture.call('POST', '/api/v1/contacts', { key: tenant.key, body: known });
    const options = {
      mapping: { Mail: 'email', Tel: 'phone', Size: 'attributes.shoe_size' },
      group_ids: [groupId],
      default_country: 'in',
      consent: { email: 'opted_in', sms: 'opted_in' },
    };
    const accepted = await form(
      'Mail;Tel;Size;Ignored\nKNOWN@example.com;098111 11113;42;x\nnew@example.com;;;x\n',
      options,
    );
    expect(await finished(accepted)).toMatchObject({ status: 'completed', created: 1, updated: 1 });
    const [first, second] = await contacts();
    expect(first).toMatchObject({
      email: 'known@example.com',
      phone: '+919811111113',
      attributes: { shoe_size: '42' },
      // An import does not override a consent decision of the contact.
      consent: { email: 'opted_out', sms: 'opted_in' },
      groups: [{ name: 'Imported' }],
    });
    expect(second).toMatchObject({ email: 'new@example.com', consent: { email: 'opted_in' }, attributes: {} });
    await fixture.call('PUT', `/api/v1/contacts/${second!.id}`, {
      key: tenant.key,
      body: { consent: { email: 'opted_out' } },
    });
    const evidence = await fixture.call('GET', `/api/v1/contacts/${second!.id}/consents`, { key: tenant.key });
    expect(evidence).toMatchObject({
      data: [
        { source: 'api', status: 'opted_out' },
        { source: 'import', status: 'opted_in', channel: 'email' },
        { source: 'import', status: 'opted_in', channel: 'sms' },
      ],
    });
    const skipped = await form('email,first_name\nknown@example.com,Changed\nother@example.com,New\n', {
      on_conflict: 'skip',
    });
    expect(await finished(skipped)).toMatchObject({ created: 1, updated: 0, skipped: 1 });
    expect((await contacts())[0]?.first_name).toBeNull();
  });

  it.each([
    ['UTF-8 and a byte order mark', Buffer.from('\ufeffemail\tfirst_name\na@example.com\tZoë\n')],
    ['UTF-16 little endian', Buffer.from('\ufeffemail,first_name\na@example.com,Zoë\n', 'utf16le')],
    ['UTF-16 big endian', Buffer.from('\ufeffemail;first_name\na@example.com;Zoë\n', 'utf16le').swap16()],
    [
      'Windows-1252, as Excel saves it',
      Buffer.from('sep=;\r\nemail;first_name\r\na@example.com;Zo\xeb\r\n;;\r\n', 'latin1'),
    ],
    ['mixed line breaks', Buffer.from('email,first_name\r\na@example.com,Zoë\n\r\n')],
    ['carriage returns as line breaks', Buffer.from('email,first_name\ra@example.com,Zoë\r')],
    ['JSON', Buffer.from(JSON.stringify({ contacts: [{ email: 'a@example.com', first_name: 'Zoë' }] }))],
  ])('accepts a file with %s', async (name, content) => {
    const type = name === 'JSON' ? 'application/json' : 'text/csv';
    const accepted = await post(content, { 'content-type': type });
    expect(await finished(accepted)).toMatchObject({ status: 'completed', created: 1, invalid: 0 });
    expect(await contacts()).toMatchObject([{ email: 'a@example.com', first_name: 'Zoë' }]);
  });

  it('names the row that cannot be read, and imports the rows before it', async () => {
    const done = await finished(
      await csv('email,first_name\na@example.com,Ann\nb@example.com,Bo"b\nc@example.com,Cy\n'),
    );
    expect(done).toMatchObject({
      status: 'failed',
      created: 1,
      error: {
        code: 'INVALID_REQUEST',
        message: 'The file cannot be read in row 3: a quote is inside an unquoted value.',
      },
    });
    expect(await contacts()).toMatchObject([{ email: 'a@example.com' }]);
  });

  it('keeps both persons if one takes over the former number of the other', async () => {
    const ann = await fixture.v1<Contact>('POST', '/api/v1/contacts', {
      key: tenant.key,
      body: { email: 'a1@example.com', phone: '+4915112340001' },
    });
    const rows = [
      { email: 'a1@example.com', phone: '+49 (0) 151 12340002' },
      { email: 'c1@example.com', phone: '4915112340001' },
      { email: 'd1@example.com', phone: '4915112340003.0' },
    ];
    const options = { default_country: 'DE' };
    const accepted = await post(JSON.stringify({ contacts: rows, options }), { 'content-type': 'application/json' });
    expect(await finished(accepted)).toMatchObject({
      created: 1,
      updated: 1,
      invalid: 1,
      errors: [{ row: 3, field: 'phone' }],
    });
    expect(await contacts()).toMatchObject([
      { id: ann.id, email: 'a1@example.com', phone: '+4915112340002' },
      { email: 'c1@example.com', phone: '+4915112340001' },
    ]);
  });

  it('leaves contacts unchanged that it reads from a contacts report', async () => {
    const group = await fixture.v1<{ id: string }>('POST', '/api/v1/contacts/groups', {
      key: tenant.key,
      body: { name: 'VIP' },
    });
    for (const body of [
      {
        email: 'ann@example.com',
        phone: '+4915112345678',
        first_name: '=Ann',
        last_name: "'-Smith",
        language: 'de',
        country: 'DE',
        time_zone: 'Europe/Berlin',
        consent: { sms: 'opted_in' },
        attributes: { n: 1, yes: true, text: 'one;\t-two\r\n"three"', 'with, comma': "'=x" },
        group_ids: [group.id],
      },
      { email: 'bob@example.com' },
      { phone: '+4915112345679', attributes: { id: '7' } },
    ]) {
      expect(await fixture.call('POST', '/api/v1/contacts', { key: tenant.key, body })).toMatchObject({ status: 201 });
    }
    const before = await contacts();
    const events = await publishedEvents();
    const { content } = await new ReportCalls(fixture, tenant).reportOf({ type: 'contacts', format: 'csv' });
    const done = await finished(await csv(content));
    expect(done).toMatchObject({ status: 'completed', total: 3, created: 0, invalid: 0 });
    expect(await contacts()).toEqual(before);
    expect(await publishedEvents()).toBe(events);
  });

  it('refuses JSON with an unknown field, wherever it is, and imports nothing', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => ({ email: `a${n}@example.com` }));
    for (const body of [
      { optoins: {}, contacts: rows },
      { contacts: rows, optoins: {} },
    ]) {
      expect(await post(JSON.stringify(body), { 'content-type': 'application/json' })).toMatchObject({
        http: 400,
        code: 'INVALID_REQUEST',
        fields: [{ field: 'optoins' }],
      });
    }
    expect(await contacts()).toEqual([]);
  });

  it('rejects invalid rows of JSON individually', async () => {
    const body = {
      contacts: [
        { email: 'a@example.com', attributes: { n: 1, deep: { x: 1 } } },
        'x',
        { email: 5 },
        { phone: '+919811111114' },
        { email: 'b@example.com', attributes: { 'a\0': '\ufffd' } },
        { email: 'c@example.com', attributes: { '\ud83d': '\ufffd' } },
      ],
      options: { consent: { sms: 'opted_in' } },
    };
    const accepted = await post(JSON.stringify(body), { 'content-type': 'application/json' });
    const done = await finished(accepted);
    expect(done).toMatchObject({ total: 6, created: 1, invalid: 5 });
    expect(done.errors.map(({ row, field }) => [row, field])).toEqual([
      [1, 'attributes.deep'],
      [2, null],
      [3, 'email'],
      [5, 'attributes'],
      [6, 'attributes'],
    ]);
  });

  it.each<[string, string | Buffer, string]>([
    ['an unclosed quote', `email\n"${'x'.repeat(2_000_000)}`, 'completed|failed'],
    ['a line of 3 MB', `email\n${'x'.repeat(3_000_000)}\n`, 'failed'],
    ['300 columns', `${Array.from({ length: 300 }, (_, n) => `c${n}`).join(',')}\n1\n`, 'failed'],
    ['binary data', Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 37) % 256)), 'completed|failed'],
    ['only a header', 'email\n', 'completed'],
    ['NUL in a value', 'email,first_name\na@example.com,a\0b\n', 'completed'],
    [
      'invalid bytes in a value',
      Buffer.concat([
        Buffer.from('email,first_name,last_name\na@example.com,Zoë'),
        Buffer.from([0xff]),
        Buffer.from(',é\n'),
      ]),
      'completed',
    ],
    ['UTF-16 without a byte order mark', Buffer.from('name,email\nJosé,a@example.com\n', 'utf16le'), 'completed'],
    ['formulas', 'email,first_name\na@example.com,=1+1\n', 'completed'],
  ])('handles a file with %s without an internal error', async (name, content, statuses) => {
    const done = await finished(await csv(content));
    expect(statuses.split('|')).toContain(done.status);
    if (done.status === 'failed') {
      expect(done.error).toEqual({
        code: 'INVALID_REQUEST',
        message: expect.stringMatching(/^The file /) as string,
      });
    }
    const expected = name === 'formulas' ? 1 : 0;
    expect([name, (await contacts()).length]).toEqual([name, expected]);
  });

  it.each<[string, unknown, string]>([
    ['options that are not an object', [], 'options'],
    ['options that are not JSON', '{', 'options'],
    ['an unknown field', { mapping: { a: 'shoe_size' } }, 'options.mapping'],
    ['a property name of a prototype as a field', { mapping: { a: 'constructor' } }, 'options.mapping'],
    ['a column with NUL', { mapping: { 'a\0': 'email' } }, 'options.mapping'],
    ['an unknown conflict policy', { on_conflict: 'merge' }, 'options.on_conflict'],
    ['an unknown consent status', { consent: { sms: 'yes' } }, 'options.consent'],
    ['an unknown country', { default_country: 'XX' }, 'options.default_country'],
    ['a group that does not exist', { group_ids: ['01a209d2-37fa-73fb-a21a-1fc1c2e213ae'] }, 'options.group_ids'],
  ])('rejects %s', async (_what, options, field) => {
    const refused = await form('email\na@example.com\n', options);
    expect(refused).toMatchObject({ http: 400, code: 'INVALID_REQUEST', fields: [{ field }] });
    expect(
      await fixture.database.query('SELECT FROM contacts.imports WHERE organization_id = $1', [tenant.organizationId]),
    ).toEqual([]);
  });

  it('rejects a request without a valid file', async () => {
    const data = new FormData();
    data.set('options', '{}');
    expect(await post(data)).toMatchObject({ http: 400, fields: [{ field: 'file' }] });
    expect(await csv('')).toMatchObject({ http: 400, code: 'INVALID_REQUEST' });
    expect(await post('x', { 'content-type': 'image/png' })).toMatchObject({ http: 400, code: 'INVALID_REQUEST' });
    expect(await post('{', { 'content-type': 'application/json' })).toMatchObject({ http: 400 });
    expect(await post('{"contacts":[]}', { 'content-type': 'application/json' })).toMatchObject({
      http: 400,
      fields: [{ field: 'contacts' }],
    });
    const broken = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await post('--x\r\nnothing', broken)).toMatchObject({ http: 400, code: 'INVALID_REQUEST' });
    const header = 'Content-Disposition form-data; name="file"';
    expect(await post(`--x\r\n${header}\r\n\r\nemail\r\n--x--\r\n`, broken)).toMatchObject({
      http: 400,
      code: 'INVALID_REQUEST',
    });
    const viewer = await fixture.factory.key(tenant.organizationId, { role: 'viewer' });
    expect(await post('email\n', { 'content-type': 'text/csv' }, viewer)).toMatchObject({ http: 403 });
  });

  it('creates one import per Idempotency-Key', async () => {
    const headers = { 'content-type': 'text/csv', 'idempotency-key': unique() };
    const first = await post('email\na@example.com\n', headers);
    const again = await post('email\na@example.com\n', headers);
    expect([again.http, again.id, again.headers.get('idempotent-replayed')]).toEqual([202, first.id, 'true']);
    expect(await post('email\nb@example.com\n', headers)).toMatchObject({ http: 409, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await finished(first)).toMatchObject({ created: 1 });
    expect(await contacts()).toHaveLength(1);
  });

  it('hides the import from other organizations', async () => {
    const { id } = await csv('email\na@example.com\n');
    const { key } = await fixture.tenant();
    for (const path of [`${PLACE}/${id}`, `${PLACE}/x`, `${PLACE}/${id}/errors.csv`]) {
      expect((await fixture.call('GET', path, { key })).status).toBe(404);
    }
    expect(await read(id)).toMatchObject({ id });
  });
});

describe('an import that is interrupted by a process stop', () => {
  it('is resumed where it stopped, and counts no row twice', async () => {
    const fixture = await AccountFixture.start();
    try {
      const { key, organizationId } = await fixture.tenant();
      const rows = Array.from({ length: 20_000 }, (_, n) => `user${n % 15_000}@example.com,${n}`);
      const response = await fetch(`${fixture.service.url}${PLACE}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
        body: ['email,number', ...rows].join('\n'),
      });
      const { id } = (await response.json()) as Import;
      const progress = async () =>
        (
          await fixture.database.query<Import>(
            'SELECT status, total, created, updated, invalid FROM contacts.imports WHERE id = $1',
            [id],
          )
        )[0]!;
      await until('the import has started', async () => (await progress()).total > 0);
      await fixture.restart();
      await until('the import is completed', async () => (await progress()).status === 'completed', {
        timeoutMs: 60_000,
      });
      expect(await progress()).toMatchObject({ total: 20_000, created: 15_000, updated: 5_000, invalid: 0 });
      const [stored] = await fixture.database.query(
        'SELECT count(*)::int AS contacts FROM contacts.contacts WHERE organization_id = $1',
        [organizationId],
      );
      expect(stored).toEqual({ contacts: 15_000 });
      expect(await fixture.database.query('SELECT FROM contacts.import_chunks')).toEqual([]);
    } finally {
      await fixture.stop();
    }
  });
});
