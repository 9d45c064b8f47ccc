import { z } from 'zod';
import { serviceConfigSchema, trustProxySetting } from './service.config';
import { flagSetting, loadConfig, ConfigError } from './config';

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
