import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ProviderFixture } from '../provider.fixture';
import { ProviderSimulator, type ProviderSimulatorOptions } from '../provider-simulator';

const ANN = '491511234567';
const TEXT = { type: 'text', text: { body: 'hello' } };
const BODY = { type: 'BODY', text: 'Hello' };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MB = 1_024 * 1_024;

let dataDir: string;
let now: Date;
let fixture: ProviderFixture;
let fixtures: ProviderFixture[];

/** Starts a simulator; if the previous one was not stopped, it counts as killed. */
async function start(options: ProviderSimulatorOptions = {}): Promise<void> {
  fixture = await ProviderFixture.start({ dataDir, now: () => now, ...options });
  fixtures.push(fixture);
}

async function restart(options?: ProviderSimulatorOptions): Promise<void> {
  await fixture.stop();
  await start(options);
}

beforeEach(async () => {
  dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'provider-')), 'made', 'by it');
  now = new Date();
  fixtures = [];
  await start();
});

afterEach(async () => {
  await Promise.all(fixtures.map((each) => each.stop()));
  rmSync(path.join(dataDir, '../..'), { recursive: true, force: true });
});

const journalFile = () => path.join(dataDir, 'journal.jsonl');
const lines = () => readFileSync(journalFile(), 'utf8').split('\n').slice(0, -1);
const files = () => readdirSync(path.join(dataDir, 'media'));
const later = (ms: number) => (now = new Date(now.getTime() + ms));
const write = (id: string) => fixture.provider.receive({ from: `+${ANN}`, message: { type: 'text' }, id });
const markRead = (message_id: string) =>
  fixture.call('POST', `/${fixture.provider.account.phoneNumberId}/messages`, {
    messaging_product: 'chatapp',
    status: 'read',
    message_id,
  });
const sendTemplate = (name: string) =>
  fixture.send({ type: 'template', template: { name, language: { code: 'en_US' } } });
const sendDocument = (id: string) => fixture.send({ type: 'document', document: { id, filename: 'a.txt' } });
const idOf = ({ body }: { body: Record<string, unknown> }) => (body['messages'] as [{ id: string }])[0].id;
const ok = { status: 200 };
const refused = (code: number) => ({ body: { error: { code } } });

async function upload(text: string): Promise<string> {
  const { body } = await fixture.upload(new Blob([text], { type: 'text/plain' }), 'grüße.txt', { type: 'text/plain' });
  return String(body['id']);
}

/** Exceeds the maximum size of the journal. */
function overgrow(): void {
  const components = [{ type: 'BODY', text: 'x'.repeat(MB) }];
  for (let count = 0; count < 70; count += 1) {
    fixture.provider.reviewTemplate('big', { status: `STATE_${count}`, components });
  }
}

async function download(id: string): Promise<string> {
  const { body } = await fixture.call('GET', `/${id}`);
  return (await fixture.request(String(body['url']), {})).text();
}

describe('a provider simulator with a dataDir', () => {
  it.each([
    ['stopped', restart],
    ['killed', start],
  ])('restores messages, templates and uploads after it was %s', async (_, again) => {
    write('in-1');
    fixture.provider.reviewTemplate('welcome', { status: 'approved', components: [BODY] });
    const media = await upload('bytes');
    const sent = idOf(await fixture.send({ ...TEXT, biz_opaque_callback_data: 'ours\u2028\n1' }));
    await again();
    expect(await fixture.send(TEXT)).toMatchObject(ok);
    expect(await markRead('in-1')).toMatchObject(ok);
    expect(await sendTemplate('welcome')).toMatchObject(ok);
    expect(await sendDocument(media)).toMatchObject(ok);
    expect(await download(media)).toBe('bytes');
    await fixture.provider.postStatus({ id: sent, status: 'delivered' });
    expect(fixture.lastWebhook()).toMatchObject({
      entry: [
        {
          changes: [
            {
              value: {
                statuses: [
                  {
                    recipient_id: ANN,
                    biz_opaque_callback_data: 'ours\u2028\n1',
                    pricing: { category: 'service' },
                  },
                ],
              },
            },
          ],
        },
      ],
    });
  });

  it('expires windows after a day and inbound messages after thirty days', async () => {
    write('in-1');
    later(DAY_MS - HOUR_MS);
    await restart();
    expect(await fixture.send(TEXT)).toMatchObject(ok);
    later(HOUR_MS);
    await restart();
    expect(await fixture.send(TEXT)).toMatchObject(refused(131047));
    expect(await markRead('in-1')).toMatchObject(ok);
    later(29 * DAY_MS);
    await restart();
    expect(await markRead('in-1')).toMatchObject(refused(100));
    expect(lines().filter((line) => line.includes('in-1'))).toEqual([]);
  });

  it('restores the last state of each template in order', async () => {
    const create = (name: string) =>
      fixture.call('POST', fixture.templatesPath, {
        name,
        category: 'UTILITY',
        language: 'en_US',
        components: [BODY],
      });
    for (const name of ['first', 'second', 'third']) await create(name);
    fixture.provider.reviewTemplate('first', { status: 'approved' });
    fixture.provider.reviewTemplate('third', { status: 'paused' });
    await fixture.call('DELETE', `${fixture.templatesPath}?name=second`);
    const before = fixture.provider.templates();
    await start();
    expect(fixture.provider.templates()).toEqual(before);
    expect(before).toMatchObject([
      { name: 'first', status: 'APPROVED' },
      { name: 'third', status: 'PAUSED' },
    ]);
    expect(await sendTemplate('third')).toMatchObject(refused(132015));
    expect(await sendTemplate('second')).toMatchObject(refused(132001));
    await create('second');
    await restart();
    const { paging, data } = (await fixture.call('GET', `${fixture.templatesPath}?limit=2`)).body as {
      paging: { next: string };
      data: object[];
    };
    expect(data).toMatchObject([{ name: 'first' }, { name: 'third' }]);
    expect(await (await fixture.request(paging.next, {})).json()).toMatchObject({ data: [{ name: 'second' }] });
  });

  it('keeps only the files of valid uploads', async () => {
    const retained = await upload('kept');
    const deleted = await upload('deleted');
    const before = files();
    await fixture.call('DELETE', `/${deleted}`);
    await fixture.stop();
    expect(files()).toHaveLength(1);
    // Simulates a process that was killed before it deleted a file, and during an upload.
    for (const file of before.filter((name) => !files().includes(name)).concat('broken-off')) {
      writeFileSync(path.join(dataDir, 'media', file), 'x');
    }
    later(30 * DAY_MS - 1);
    await start();
    expect(files()).toHaveLength(1);
    expect(await fixture.call('GET', `/${retained}`)).toMatchObject({
      body: { file_size: '4', mime_type: 'text/plain' },
    });
    expect(await fixture.call('GET', `/${deleted}`)).toMatchObject(refused(100));
    later(1);
    await restart();
    expect(files()).toEqual([]);
    expect(await fixture.call('GET', `/${retained}`)).toMatchObject(refused(100));
    expect(lines()).toEqual([]);
  });

  it('drops only a truncated last line', async () => {
    write('in-1');
    const [whole] = lines();
    appendFileSync(journalFile(), whole!.replace('in-1', 'in-ü').slice(0, -1));
    await start();
    expect(await markRead('in-ü')).toMatchObject(refused(100));
    write('in-2');
    await start();
    expect(await markRead('in-1')).toMatchObject(ok);
    expect(await markRead('in-2')).toMatchObject(ok);
  });

  it.each(['invalid JSON', '{"other":{}}', '{"inbound":{"id":"in-2"}}'])(
    'does not start with a malformed journal: %s',
    async (line) => {
      write('in-1');
      await fixture.stop();
      appendFileSync(journalFile(), `${line}\n`);
      const before = readFileSync(journalFile());
      await expect(new ProviderSimulator({ dataDir }).start()).rejects.toThrow(`Line 2 of ${journalFile()}`);
      expect(readFileSync(journalFile())).toEqual(before);
    },
  );

  it('keeps the newest 50,000 messages', async () => {
    await fixture.stop();
    const sent = { to: ANN, waId: ANN, type: 'text', category: 'service', callbackData: null, at: now.toISOString() };
    const entries = Array.from({ length: 50_001 }, (_, index) => ({ sent: { id: `camid.${index}`, ...sent } }));
    writeFileSync(journalFile(), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    await start();
    const messages = fixture.provider.messages();
    expect([messages.length, messages[0]!.id, messages.at(-1)!.id]).toEqual([50_000, 'camid.1', 'camid.50000']);
    expect(lines()).toHaveLength(50_000);
    expect(fixture.provider.totals).toEqual({ accepted: 0, distinct: 0 });
    write('in-1');
    const id = idOf(await fixture.send(TEXT));
    overgrow();
    const retained = lines().filter((line) => line.startsWith('{"sent"'));
    expect([retained.length, retained.at(-1)]).toEqual([50_000, expect.stringContaining(id)]);
  });

  it('compacts the journal while it runs', async () => {
    write('in-1');
    later(30 * DAY_MS);
    write('in-2');
    overgrow();
    expect(statSync(journalFile()).size).toBeLessThan(10 * MB);
    expect(lines().filter((line) => line.includes('in-1'))).toEqual([]);
    await start();
    expect(fixture.provider.templates()).toMatchObject([{ status: 'STATE_69' }]);
    expect(await fixture.send(TEXT)).toMatchObject(ok);
  });
});
