import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { serviceConfigSchema, trustProxySetting } from './service.config';
import { flagSetting, loadConfig, ConfigError, whenValid } from './config';

const schema = z.object({
  ADDRESS: z.string(),
  COUNT: z.coerce.number().int().min(1).default(3),
  MODE: z.enum(['a', 'b']).default('a'),
  FLAG: flagSetting(false),
});

describe('the configuration', () => {
  it('has default values, also for empty variables', () => {
    const expected = { ADDRESS: 'x', COUNT: 3, MODE: 'a', FLAG: false };
    expect(loadConfig(schema, { ADDRESS: 'x' })).toEqual(expected);
    expect(loadConfig(schema, { ADDRESS: 'x', COUNT: '', MODE: '', FLAG: '' })).toEqual(expected);
  });

  it('reports all invalid and missing variables in one error', () => {
    const load = () => loadConfig(schema, { COUNT: '0', MODE: 'c', FLAG: 'maybe' });
    expect(load).toThrow(ConfigError);
    for (const name of ['ADDRESS', 'COUNT', 'MODE', 'FLAG']) expect(load).toThrow(new RegExp(`^  ${name}: .+`, 'm'));
  });

  it('treats an empty required variable as missing', () => {
    expect(() => loadConfig(schema, { ADDRESS: '' })).toThrow('ADDRESS');
  });

  it('ignores unknown variables', () => {
    expect(loadConfig(schema, { ADDRESS: 'x', PATH: '/bin' })).not.toHaveProperty('PATH');
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('parses the flag %s as %s', (text, value) => {
    expect(loadConfig(schema, { ADDRESS: 'x', FLAG: text }).FLAG).toBe(value);
  });

  it('has working defaults for all variables of every service', () => {
    expect(loadConfig(serviceConfigSchema, {})).toMatchObject({
      LOG_LEVEL: 'info',
      ROLE: 'all',
      MESSAGING_RATE_PER_MINUTE: 10_000,
    });
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['LOG_LEVEL', 'loud'],
    ['REDIS_URL', 'http://x'],
    ['ROLE', 'boss'],
    ['ROLE', 'webhooks'],
    ['PUBLIC_BASE_URL', 'here'],
    ['MESSAGING_RATE_PER_MINUTE', '-1'],
  ])('rejects %s=%s', (name, value) => {
    expect(() => loadConfig(serviceConfigSchema, { [name]: value })).toThrow(name);
  });

  it.each([
    [undefined, false],
    ['false', false],
    ['0', 0],
    ['2', 2],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('parses TRUST_PROXY %s', (setting, expected) => expect(trustProxySetting(setting)).toEqual(expected));
});

describe('a setting in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'config-'));
  const file = path.join(folder, 'secret');
  afterAll(() => rmSync(folder, { recursive: true }));
  const load = (variables: Record<string, string>) => loadConfig(schema, variables);

  it('is the content of the file without its last line break', () => {
    writeFileSync(file, 'first\nsecond\n');
    expect(load({ ADDRESS_FILE: file }).ADDRESS).toBe('first\nsecond');
    writeFileSync(file, 'first\r\n');
    expect(load({ ADDRESS_FILE: file, ADDRESS: '' }).ADDRESS).toBe('first');
  });

  it('is an error if the file cannot be read, or if the setting is also a variable', () => {
    writeFileSync(file, 'x');
    const missing = path.join(folder, 'missing');
    expect(() => load({ ADDRESS_FILE: missing })).toThrow(
      /^ {2}ADDRESS_FILE: names a file that cannot be read \(ENOENT\)/m,
    );
    expect(() => load({ ADDRESS_FILE: missing })).not.toThrow(/ADDRESS: is not set/);
    expect(() => load({ ADDRESS_FILE: file, ADDRESS: 'y' })).toThrow(/^ {2}ADDRESS: is set twice/m);
  });

  it('counts as unset if the file is empty', () => {
    writeFileSync(file, '\n');
    expect(() => load({ ADDRESS_FILE: file })).toThrow(/^ {2}ADDRESS: is not set/m);
  });
});

describe('the words for a problem', () => {
  const described = z
    .object({
      NAME: z.string().meta({ description: 'Name of the server.', example: 'main' }),
      WAIT_MS: z.coerce.number().int().min(10).default(20).meta({ description: 'Time to wait.' }),
      LIST: z
        .string()
        .transform((text): unknown => JSON.parse(text))
        .pipe(z.array(z.strictObject({ host: z.string(), port: z.number() })))
        .meta({ description: 'Servers.', form: 'a JSON list', example: '[{"host":"x","port":1}]' })
        .optional(),
      A: z.string().optional(),
      B: z.string().optional(),
    })
    .refine(({ A, B }) => (A === undefined) === (B === undefined), {
      path: ['B'],
      message: 'must be set together with A',
      when: whenValid('A', 'B'),
    });
  const problemsOf = (variables: Record<string, string>): readonly string[] => {
    try {
      loadConfig(described, variables);
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };

  it('contain the meaning, the accepted values and an example', () => {
    expect(problemsOf({ WAIT_MS: 'soon' })).toEqual([
      'NAME: is not set. Name of the server. It must be text. Example: main',
      'WAIT_MS: must be a number. Time to wait. It must be a whole number of milliseconds, at least 10.',
    ]);
  });

  it('name the position in a list', () => {
    expect(problemsOf({ NAME: 'x', LIST: '[{"port":"x","user":1}]' })).toEqual([
      'LIST.0.host: is not set',
      'LIST.0.port: must be a number',
      'LIST.0: has fields that do not exist: user',
    ]);
  });

  it('include rules about several settings while others are invalid', () => {
    expect(problemsOf({ A: 'x' }).map((line) => line.split('.')[0])).toEqual([
      'NAME: is not set',
      'B: must be set together with A',
    ]);
  });
});
