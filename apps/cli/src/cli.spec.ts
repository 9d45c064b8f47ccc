import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { definitions } from '@heliograph/sdk/definitions';
import fc from 'fast-check';
import { completionsOf } from './commands/completion';
import { effectOf } from './commands/mcp';
import { deleteCredentials, listenSecret, readCredentials, writeCredentials } from './credentials';
import { faqOf, markdownOf } from './faq-files';
import { plain, progressBar, table } from './output';
import { createProgram } from './program';
import { jsonOf, pick, variablesOf } from './values';

const environment = { apiKey: undefined, baseUrl: undefined, workspace: undefined, folder: '', hasColors: false };
const signal = new AbortController().signal;

describe('FAQ files', () => {
  it('give back every FAQ that was written', () => {
    // The API stores trimmed texts.
    const text = fc.string({ minLength: 1, maxLength: 60 }).map((one) => one.replace(/\r/g, '').trim() || 'x');
    const faqs = fc.record({
      question: text,
      phrasings: fc.array(text, { maxLength: 3 }),
      answer: text,
      label: fc.option(text),
      enabled: fc.boolean(),
      published: fc.boolean(),
      displayOrder: fc.nat(100),
    });
    fc.assert(
      fc.property(faqs, (fields) => {
        const faq = { id: 'hours', ...fields };
        expect(faqOf('hours', markdownOf(faq))).toEqual(faq);
      }),
    );
  });

  it.each([
    ['no front matter', 'Just text', 'must start with a line of ---'],
    ['no answer', '---\nquestion: When?\n---\n', 'needs a question, and an answer'],
    ['no question', '---\nlabel: x\n---\nText', 'needs a question'],
    ['invalid YAML', '---\nquestion: "When\n---\nText', 'hours.md: '],
    ['a list of fields', '---\nx\n---\nText', 'has no fields'],
  ])('are refused with %s', (_, text, message) => {
    expect(() => faqOf('hours', text)).toThrow(message);
  });
});

describe('credentials', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'cli-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are readable for the user only, also if the file had another mode before', async () => {
    await writeFile(path.join(folder, 'credentials.json'), '{}', { mode: 0o644 });
    const file = await writeCredentials(folder, { apiKey: 'msg_test_key', baseUrl: 'https://a.example' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readCredentials(folder)).toEqual({ apiKey: 'msg_test_key', baseUrl: 'https://a.example' });
    expect([await deleteCredentials(folder), await deleteCredentials(folder)]).toEqual([true, false]);
    expect(await readCredentials(folder)).toBeNull();
  });

  it('include one secret of the machine for forwarded webhooks', async () => {
    const secret = await listenSecret(folder);
    expect(secret).toMatch(/^whsec_/);
    expect(await listenSecret(folder)).toBe(secret);
  });
});

describe('completion', () => {
  const program = createProgram(environment, signal);

  it.each([
    [['webh'], ['webhooks']],
    [
      ['webhooks', ''],
      ['listen', 'trigger'],
    ],
    [['send', 'sms', '--te'], ['--template']],
    [['completion', 'p'], ['powershell']],
    [
      ['api', 'sms.messages.s'],
      ['sms.messages.send', 'sms.messages.sendBulk'],
    ],
    [['nothing-like-this'], []],
  ])('of %j is %j', (words, expected) => {
    expect(completionsOf(program, words)).toEqual(expected);
  });
});

describe('tools of language models', () => {
  const effects = (effect: string): string[] =>
    Object.values(definitions)
      .filter((definition) => effectOf(definition) === effect)
      .map(({ name }) => name);

  it('that read make no change', () => {
    const others = effects('read').filter((name) => definitions[name]?.method !== 'GET');
    expect(others.filter((name) => !/\.(quote|estimate|preview|previewStored)$/.test(name))).toEqual([]);
  });

  it('that reach people or move money need their own flag', () => {
    expect(effects('send')).toEqual(
      expect.arrayContaining([
        'sms.messages.send',
        'sms.messages.sendBulk',
        'sms.campaigns.create',
        'sms.campaigns.start',
        'email.unversioned.send',
        'chatapp.messages.send',
        'inbox.conversations.reply',
        'credits.transfer',
        'credits.purchase',
        'workspaces.credits.transfer',
        'organization.invitations.create',
        'webhooks.replay',
      ]),
    );
  });
});

describe('values and output', () => {
  it('reads variables, JSON and paths', () => {
    expect(variablesOf(['code=1=2', 'name='])).toEqual({ code: '1=2', name: '' });
    expect(() => variablesOf(['code'])).toThrow('name=value');
    expect(jsonOf('{"a":1}')).toEqual({ a: 1 });
    expect(() => jsonOf('[1]')).toThrow('must be a JSON object');
    expect([pick({ a: [{ b: 2 }] }, 'a.0.b'), pick({ a: null }, 'a.b')]).toEqual([2, undefined]);
  });

  it('removes control characters, so that a text cannot control the terminal', () => {
    expect(plain('a\u001b[31mb\nc\u0007')).toBe('a[31mb c');
  });

  it('aligns columns and shows progress', () => {
    expect(
      table([
        ['a', 'bb'],
        ['ccc', 'd'],
      ]),
    ).toBe('a    bb\nccc  d');
    expect(progressBar(1, 2)).toBe('[############............]  50 %');
  });
});
