import { z } from 'zod';
import { ConfigError, flagSetting, loadConfig } from './config';
import { LOCAL_SECRETS } from './local-secrets';
import { serviceConfigSchema } from './service.config';

const schema = z.object({
  ...serviceConfigSchema.shape,
  TOKEN: z.string(),
  COUNT: z.coerce.number().default(1),
  ORIGINS: z.string().optional().meta({ production: 'https-if-set' }),
  OPEN: flagSetting(false).meta({ production: 'off' }),
});

const SAFE = {
  NODE_ENV: 'production',
  REDIS_URL: 'redis://redis:6379',
  PUBLIC_BASE_URL: 'https://messaging.example',
  TOKEN: 'own-secret',
};

/** Returns the message of the ConfigError, or null if the configuration is accepted. */
function refusal(environment: Record<string, string>): string | null {
  try {
    loadConfig(schema, environment);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
}

describe('the configuration in production', () => {
  it('accepts safe values', () => expect(refusal(SAFE)).toBeNull());

  it('lists all missing, invalid and unsafe variables in one message, each once', () => {
    const lines = refusal({
      NODE_ENV: 'production',
      TOKEN: LOCAL_SECRETS.operatorToken,
      COUNT: 'many',
      PUBLIC_BASE_URL: 'http://messaging.example',
      ORIGINS: 'https://a.example, http://b.example',
      OPEN: 'true',
    })?.split('\n');
    expect(lines?.slice(1).map((line) => line.split(':')[0]?.trim())).toEqual([
      'COUNT',
      'REDIS_URL',
      'PUBLIC_BASE_URL',
      'TOKEN',
      'ORIGINS',
      'OPEN',
    ]);
  });

  it.each(Object.values(LOCAL_SECRETS))('rejects the published secret %s, also inside JSON and lists', (secret) => {
    for (const value of [secret, `own,${secret}`, JSON.stringify([{ name: 'x', password: secret }])]) {
      expect(refusal({ ...SAFE, TOKEN: value })).toMatch(/^ {2}TOKEN: is a secret of the local stack/m);
    }
  });

  it('rejects the published key with another id, in another notation, and next to own keys', () => {
    const [, key = ''] = LOCAL_SECRETS.secretsKeys.split(':');
    const own = `k2:${Buffer.alloc(32, 7).toString('base64')}`;
    for (const ring of [`k1:${key}`, `k1:${key.replace('=', '')}`, `${own},k1:${key}`]) {
      expect(refusal({ ...SAFE, TOKEN: ring })).toMatch(/^ {2}TOKEN: is a secret of the local stack/m);
    }
    expect(refusal({ ...SAFE, TOKEN: own })).toBeNull();
  });

  it.each(['amqp://guest:guest@rabbitmq:5672', 'postgres://heliograph:heliograph@postgres/heliograph'])(
    'rejects default credentials: %s',
    (url) => expect(refusal({ ...SAFE, TOKEN: url })).toContain('default credentials'),
  );

  it('accepts a secret that only contains a published one', () => {
    expect(refusal({ ...SAFE, TOKEN: `${LOCAL_SECRETS.smppPassword}-and-more` })).toBeNull();
  });

  it('is not checked outside production, or if unsafe settings are allowed', () => {
    const unsafe = { TOKEN: LOCAL_SECRETS.operatorToken, PUBLIC_BASE_URL: 'http://localhost:3000' };
    expect(refusal(unsafe)).toBeNull();
    expect(refusal({ ...unsafe, NODE_ENV: 'production', ALLOW_UNSAFE_SETTINGS: 'true' })).toBeNull();
    expect(refusal({ ...unsafe, NODE_ENV: 'production', ALLOW_UNSAFE_SETTINGS: 'yes' })).not.toBeNull();
  });
});
