import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PlatformFixture } from '../platform.fixture';
import { PlatformSimulator, type PlatformSimulatorOptions } from '../platform-simulator';

const ANN = '491511234567';
const TEXT = { type: 'text', text: { body: 'hello' } };
const BODY = { type: 'BODY', text: 'Hello' };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MB = 1_024 * 1_024;

let dataDir: string;
let now: Date;
let fixture: PlatformFixture;
let fixtures: PlatformFixture[];

/** Of a process that was killed nothing is stopped in order. */
async function start(options: PlatformSimulatorOptions = {}): Promise<void> {
  fixture = await PlatformFixture.start({ dataDir, now: () => now, ...options });
  fixtures.push(fixture);
}

async function restart(options?: PlatformSimulatorOptions): Promise<void> {
  await fixture.stop();
  await start(options);
}

beforeEach(async () => {
  dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'platform-')), 'made', 'by it');
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
const write = (id: string) => fixture.platform.receive({ from: `+${ANN}`, message: { type: 'text' }, id });
const markRead = (message_id: string) =>
  fixture.call('POST', `/${fixture.platform.account.phoneNumberId}/messages`, {
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

/** Past what the journal may have, by one template. */
function overgrow(): void {
  const components = [{ type: 'BODY', text: 'x'.repeat(MB) }];
  for (let count = 0; count < 70; count += 1) {
    fixture.platform.reviewTemplate('big', { status: `STATE_${count}`, components });
  }
}

async function download(id: string): Promise<string> {
  const { body } = await fixture.call('GET', `/${id}`);
  return (await fixture.request(String(body['url']), {})).text();
}

describe('a platform simulator with a folder', () => {
  it.each([
    ['stopped', restart],
    ['killed', start],
  ])('knows after it was %s who wrote, what was sent, its templates and uploads', async (_, again) => {
    write('in-1');
    fixture.platform.reviewTemplate('welcome', { status: 'approved', components: [BODY] });
    const media = await upload('bytes');
    const sent = idOf(await fixture.send({ ...TEXT, biz_opaque_callback_data: 'ours\u2028\n1' }));
    await again();
    expect(await fixture.send(TEXT)).toMatchObject(ok);
    expect(await markRead('in-1')).toMatchObject(ok);
    expect(await sendTemplate('welcome')).toMatchObject(ok);
    expect(await sendDocument(media)).toMatchObject(ok);
    expect(await download(media)).toBe('bytes');
    await fixture.platform.postStatus({ id: sent, status: 'delivered' });
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

  it('may be started again itself', async () => {
    write('in-1');
    const media = await upload('bytes');
    await fixture.platform.stop();
    await fixture.platform.start();
    expect(await fixture.send(TEXT)).toMatchObject(ok);
    expect(await download(media)).toBe('bytes');
  });

  it('closes windows when they end, and marks messages as read for thirty days', async () => {
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

  it('keeps the last state of each template, in their order, and those after them apart', async () => {
    const create = (name: string) =>
      fixture.call('POST', fixture.templatesPath, {
        ...{ name, category: 'UTILITY', language: 'en_US', components: [BODY] },
      });
    for (const name of ['first', 'second', 'third']) await create(name);
    fixture.platform.reviewTemplate('first', { status: 'approved' });
    fixture.platform.reviewTemplate('third', { status: 'paused' });
    await fixture.call('DELETE', `${fixture.templatesPath}?name=second`);
    const before = fixture.platform.templates();
    await start();
    expect(fixture.platform.templates()).toEqual(before);
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

  it('keeps the files of uploads that still count, and no others', async () => {
    const [kept, deleted] = [await upload('kept'), await upload('deleted')];
    const before = files();
    await fixture.call('DELETE', `/${deleted}`);
    await fixture.stop();
    expect(files()).toHaveLength(1);
    // Killed before the file of the one was deleted, and in the middle of another upload.
    for (const file of before.filter((name) => !files().includes(name)).concat('broken-off')) {
      writeFileSync(path.join(dataDir, 'media', file), 'x');
    }
    later(30 * DAY_MS - 1);
    await start();
    expect(files()).toHaveLength(1);
    expect(await fixture.call('GET', `/${kept}`)).toMatchObject({ body: { file_size: '4', mime_type: 'text/plain' } });
    expect(await fixture.call('GET', `/${deleted}`)).toMatchObject(refused(100));
    later(1);
    await restart();
    expect(files()).toEqual([]);
    expect(await fixture.call('GET', `/${kept}`)).toMatchObject(refused(100));
    expect(lines()).toEqual([]);
  });

  it('does not know uploads whose files somebody has deleted', async () => {
    const id = await upload('bytes');
    for (const file of files()) rmSync(path.join(dataDir, 'media', file));
    await restart();
    write('in-1');
    expect(await sendDocument(id)).toMatchObject(refused(100));
  });

  it('leaves an upload to the number that it was uploaded under', async () => {
    const id = await upload('bytes');
    await restart({ phoneNumberId: '100000000000009' });
    write('in-1');
    expect(await sendDocument(id)).toMatchObject(refused(100));
    expect(await fixture.call('GET', `/${id}?phone_number_id=100000000000009`)).toMatchObject(refused(100));
    expect(await fixture.call('GET', `/${id}?phone_number_id=100000000000001`)).toMatchObject(ok);
  });

  it('loses the line that was being written when it was killed, and no other', async () => {
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

  it.each(['no JSON', '{"other":{}}', '{"inbound":{"id":"in-2"}}'])(
    'does not start over a journal that is not its own: %s',
    async (line) => {
      write('in-1');
      await fixture.stop();
      appendFileSync(journalFile(), `${line}\n`);
      const before = readFileSync(journalFile());
      await expect(new PlatformSimulator({ dataDir }).start()).rejects.toThrow(`Line 2 of ${journalFile()}`);
      expect(readFileSync(journalFile())).toEqual(before);
    },
  );

  it('remembers the newest fifty thousand messages', async () => {
    await fixture.stop();
    const sent = { to: ANN, waId: ANN, type: 'text', category: 'service', callbackData: null, at: now.toISOString() };
    const entries = Array.from({ length: 50_001 }, (_, index) => ({ sent: { id: `camid.${index}`, ...sent } }));
    writeFileSync(journalFile(), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    await start();
    const messages = fixture.platform.messages();
    expect([messages.length, messages[0]!.id, messages.at(-1)!.id]).toEqual([50_000, 'camid.1', 'camid.50000']);
    expect(lines()).toHaveLength(50_000);
    expect(fixture.platform.totals).toEqual({ accepted: 0, distinct: 0 });
    write('in-1');
    const id = idOf(await fixture.send(TEXT));
    overgrow();
    const kept = lines().filter((line) => line.startsWith('{"sent"'));
    expect([kept.length, kept.at(-1)]).toEqual([50_000, expect.stringContaining(id)]);
  });

  it('does not grow for ever while it runs', async () => {
    write('in-1');
    later(30 * DAY_MS);
    write('in-2');
    overgrow();
    expect(statSync(journalFile()).size).toBeLessThan(10 * MB);
    expect(lines().filter((line) => line.includes('in-1'))).toEqual([]);
    await start();
    expect(fixture.platform.templates()).toMatchObject([{ status: 'STATE_69' }]);
    expect(await fixture.send(TEXT)).toMatchObject(ok);
  });

  it('writes the journal anew without one that was not finished', async () => {
    write('in-1');
    writeFileSync(`${journalFile()}.new`, '{"inbou');
    await start();
    await start();
    expect(await markRead('in-1')).toMatchObject(ok);
    expect(readdirSync(dataDir).sort()).toEqual(['journal.jsonl', 'media']);
  });

  it('takes nothing before its start, which would forget it', () => {
    mkdirSync(dataDir, { recursive: true });
    const platform = new PlatformSimulator({ dataDir });
    expect(() => platform.receive({ from: ANN, message: { type: 'text' } })).toThrow('start it first');
  });
});
