import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { emailApi } from '@heliograph/email-api';
import { smsApi } from '@heliograph/sms-api';
import { parse } from 'yaml';
import { copiedIntoImage } from './dockerfile';
import { exampleSettings } from './example-settings';
import { workspaceRoot } from './workspace-copy';

interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string; args: { SERVICE: string } };
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  ports?: string[];
  networks: string[];
  command?: string[];
  user?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: object;
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, object>;
  volumes: Record<string, object>;
}

const read = (file: string) => readFileSync(path.join(workspaceRoot, file), 'utf8');
const compose = parse(read('docker/compose.yaml'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const apps = readdirSync(path.join(workspaceRoot, 'apps'));

/** Expands `${NAME:-default}` and `${NAME:?message}` in the same way as Compose, with the example variables. */
function substituted(value: string): string {
  return value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, rest: string) => {
    const given = exampleSettings[name];
    if (given) return given;
    if (kind === '-') return rest;
    throw new Error(`${name} is not set: ${rest}`);
  });
}

/** Returns the environment of a service in the compose file, with the NODE_ENV of its image. */
const inProduction = (given: [string, string][]): Record<string, string> => ({
  ...Object.fromEntries(given.map(([key, value]) => [key, substituted(value)])),
  NODE_ENV: 'production',
});

/** The name of the migration job of an app. */
const migrationOf = (app: string): string =>
  services.find(([, { build, command }]) => build?.args.SERVICE === app && command?.includes('migrate.js'))?.[0] ?? '';

const definitions = [smsApi, emailApi, chatappApi, chatappHook, botRuntime, accountApi, billingHook];

describe('the compose file', () => {
  it('has the gateway, the three servers, and every app with its migration job', () => {
    const names = services.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['gateway', 'postgres', 'rabbitmq', 'redis']));
    const built = services.filter(([, { build }]) => build);
    for (const app of apps) {
      const own = built.filter(([, { build }]) => build?.args.SERVICE === app);
      expect([app, own.some(([, { command }]) => command === undefined)]).toEqual([app, true]);
      expect([app, own.filter(([, { command }]) => command?.includes('migrate.js')).length]).toEqual([app, 1]);
    }
  });

  it('builds existing apps from an existing Dockerfile', () => {
    const built = services.flatMap(([, { build }]) => (build ? [build] : []));
    expect(built.length).toBeGreaterThan(0);
    for (const { context, dockerfile, args } of built) {
      expect(apps).toContain(args.SERVICE);
      expect(existsSync(path.join(workspaceRoot, 'docker', context, dockerfile))).toBe(true);
    }
  });

  it.each(services)('gives %s only the variables and permissions that it needs', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.tmpfs).toContain('/tmp');
    // The images of the product run as a non-root user; other images get a user from the compose file.
    if (!service.build) expect(service.user).toMatch(/^[a-z]+$/);
  });

  it('has a health check for every long-running service', () => {
    // The images of the product contain their health check.
    const unwatched = services.filter(([, { build, healthcheck }]) => !build && !healthcheck);
    expect(unwatched).toEqual([]);
    expect(read('docker/Dockerfile')).toContain('\nHEALTHCHECK ');
  });

  it.each(
    services
      .filter(([, { build, command }]) => build && !command)
      .map(([name, { build }]) => [name, migrationOf(build?.args.SERVICE ?? '')]),
  )('starts %s after its migrations, and %s after the database', (name, migration) => {
    expect(compose.services[name]!.depends_on).toMatchObject({
      [migration]: { condition: 'service_completed_successfully' },
    });
    expect(compose.services[migration]).toMatchObject({
      command: ['node', 'migrate.js'],
      depends_on: { postgres: { condition: 'service_healthy' } },
      build: { args: { SERVICE: compose.services[name]!.build!.args.SERVICE } },
    });
    expect(
      existsSync(path.join(workspaceRoot, 'apps', compose.services[name]!.build!.args.SERVICE, 'src/migrate.ts')),
    ).toBe(true);
  });

  it.each(definitions)(
    'row 7: gives $name its own database role, which its migration job creates as the owner',
    ({ name, access }) => {
      const own = services.filter(([, { build }]) => build?.args.SERVICE === name);
      const settingsOf = ([, { environment }]: (typeof own)[number]) => inProduction(Object.entries(environment!));
      expect(own.length).toBeGreaterThan(1);
      for (const service of own) {
        const { DATABASE_URL, MIGRATION_DATABASE_URL } = settingsOf(service);
        expect(DATABASE_URL).toBe(`postgres://${access.role}:chosen-by-the-operator@postgres:5432/heliograph`);
        expect(MIGRATION_DATABASE_URL).toBe(
          service[1].command?.includes('migrate.js')
            ? 'postgres://heliograph:chosen-by-the-operator@postgres:5432/heliograph'
            : undefined,
        );
      }
    },
  );

  it('row 7: has no default for any password', () => {
    const passwords = [...read('docker/compose.yaml').matchAll(/\$\{(\w+_PASSWORD)([^}]*)\}/g)];
    // One of each app, and those of PostgreSQL and RabbitMQ.
    expect(new Set(passwords.map(([, name]) => name)).size).toBe(apps.length + 2);
    for (const [, , rest] of passwords) expect(rest).toMatch(/^:\?/);
  });

  it('references existing services, networks, volumes and files only', () => {
    for (const [, service] of services) {
      for (const name of Object.keys(service.depends_on ?? {})) expect(Object.keys(compose.services)).toContain(name);
      for (const name of service.networks) expect(Object.keys(compose.networks)).toContain(name);
      for (const volume of service.volumes ?? []) {
        const [source] = substituted(volume).split(':') as [string];
        if (source.startsWith('.')) expect(existsSync(path.join(workspaceRoot, 'docker', source))).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
    }
  });

  it('publishes only the gateway and the listener for returned mail, on loopback', () => {
    const open = services.flatMap(([name, { ports }]) => (ports ?? []).map((port) => [name, substituted(port)]));
    expect(open).toEqual([
      ['gateway', '127.0.0.1:8080:8080'],
      ['email-worker', '127.0.0.1:2525:2525'],
    ]);
  });

  it.each(['sms-api', 'sms-worker'])('gives %s a valid configuration, with the example carrier', (name) => {
    const given = Object.entries(compose.services[name]!.environment!);
    const settings = smsApi.loadConfig(inProduction(given));
    expect(settings).toMatchObject({
      ROLE: name === 'sms-api' ? 'api' : 'worker',
      SMS_CARRIERS: [{ name: 'main', host: 'smpp.carrier.example' }],
    });
  });

  it.each(['email-api', 'email-worker'])('gives %s a valid configuration', (name) => {
    const given = Object.entries(compose.services[name]!.environment!);
    const settings = emailApi.loadConfig(inProduction(given));
    expect(settings).toMatchObject({
      ROLE: name === 'email-api' ? 'api' : 'worker',
      EMAIL_SMTP_URL: 'smtp://account:secret@submission.provider.example:587',
      EMAIL_RETURN_PATH_DOMAIN: 'returns.example.com',
    });
    // Only one process listens on the port; any number of processes can answer requests.
    expect(settings.EMAIL_RETURN_PORT).toBe(name === 'email-api' ? undefined : 2525);
  });

  it.each([
    ['chatapp-api', { ROLE: 'api', CHATAPP_SENDING_ENABLED: true }],
    ['chatapp-worker', { ROLE: 'worker' }],
    ['chatapp-hook', { ROLE: 'all', CHATAPP_APP_SECRET: 'told-by-the-platform' }],
  ])('gives %s a valid configuration', (name, expected) => {
    const given = Object.entries(compose.services[name]!.environment!);
    const environment = inProduction(given);
    const { loadConfig } = name === 'chatapp-hook' ? chatappHook : chatappApi;
    const settings = loadConfig(environment);
    expect(settings).toMatchObject(expected);
    // The example file contains no account.
    expect(settings.CHATAPP_PHONE_NUMBER_ID).toBeUndefined();
    const own = { CHATAPP_PHONE_NUMBER_ID: '1', CHATAPP_PRODUCT: 'product' };
    expect(loadConfig({ ...environment, ...own })).toMatchObject(own);
  });

  it('gives the bot runtime a valid configuration, without a language model unless one is configured', () => {
    const given = Object.entries(compose.services['bot-runtime']!.environment!);
    const environment = inProduction(given);
    const settings = botRuntime.loadConfig(environment);
    expect(settings).toMatchObject({ ROLE: 'all', TRUST_PROXY: '1', PUBLIC_BASE_URL: 'https://messaging.example.com' });
    expect(settings.BOT_MODEL_URL).toBeUndefined();
    const model = { BOT_MODEL_URL: 'https://models.example/v1', BOT_MODEL_NAME: 'small' };
    expect(botRuntime.loadConfig({ ...environment, ...model })).toMatchObject(model);
  });

  it.each([
    ['account-api', 'api'],
    ['account-worker', 'worker'],
    ['account-webhooks', 'webhooks'],
    ['billing-hook', 'all'],
  ])('gives %s a valid configuration with the role %s', (name, role) => {
    const given = Object.entries(compose.services[name]!.environment!);
    const environment = inProduction(given);
    const { loadConfig } = name === 'billing-hook' ? billingHook : accountApi;
    expect(loadConfig(environment)).toMatchObject({ ROLE: role, TRUST_PROXY: '1' });
    const more = { ...environment, PLATFORM_OPERATOR_TOKEN: 'x'.repeat(32), BILLING_WEBHOOK_SECRET: 'a,b' };
    expect(() => loadConfig(more)).not.toThrow();
  });

  it('requires a carrier and a mail server, and rejects publicly known secrets', () => {
    expect(compose.services['sms-worker']!.environment!.SMS_CARRIERS).toMatch(/^\$\{SMS_CARRIERS:\?/);
    const { EMAIL_SMTP_URL, EMAIL_TOKEN_SECRET } = compose.services['email-worker']!.environment!;
    expect(EMAIL_SMTP_URL).toMatch(/^\$\{EMAIL_SMTP_URL:\?/);
    expect(EMAIL_TOKEN_SECRET).toMatch(/^\$\{EMAIL_TOKEN_SECRET:\?/);
    expect(read('docker/.env.example')).toMatch(/^EMAIL_TOKEN_SECRET=$/m);
    const { CHATAPP_APP_SECRET } = compose.services['chatapp-hook']!.environment!;
    expect(CHATAPP_APP_SECRET).toMatch(/^\$\{CHATAPP_APP_SECRET:\?/);
    expect(read('docker/.env.example')).toMatch(/^CHATAPP_APP_SECRET=$/m);
  });

  it('has all required variables of sms-api in the commands of README.md', () => {
    const [, command = ''] = /^(docker run --read-only [^]*?)\n(?:```|\n)/m.exec(read('README.md')) ?? [];
    const names = [...command.matchAll(/-e (\w+)=/g)].map(([, name = '']) => name);
    const known = inProduction(Object.entries(compose.services['sms-api']!.environment!));
    const given = names.map((name) => [name, known[name] ?? exampleSettings[name]]);
    expect(() => smsApi.loadConfig({ NODE_ENV: 'production', ...Object.fromEntries(given) })).not.toThrow();
  });

  it('uses the port of the image in the gateway configuration', () => {
    const upstreams = [...read('deploy/nginx/gateway.conf').matchAll(/server ([\w-]+):(\d+);/g)];
    expect(upstreams.length).toBeGreaterThan(2);
    for (const [, host, port] of upstreams) {
      expect(Object.keys(compose.services)).toContain(host);
      expect(read('docker/Dockerfile')).toContain(`PORT=${port}\n`);
    }
  });
});

describe('the Dockerfile', () => {
  const lines = read('docker/Dockerfile').split('\n');

  it('copies existing files that .dockerignore includes', () => {
    const letThrough = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const sources = copiedIntoImage();
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect([source, existsSync(path.join(workspaceRoot, source))]).toEqual([source, true]);
      expect(letThrough).toContain(`!${source}`);
    }
  });

  it('runs node directly, not as root, on a pinned image, with the default builder of Docker', () => {
    const last = (instruction: string) => lines.filter((line) => line.startsWith(`${instruction} `)).at(-1);
    expect(last('CMD')).toMatch(/^CMD \["node", .*"main\.js"\]$/);
    expect(last('USER')).toBe('USER node');
    expect(lines.join('\n')).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-bookworm-slim$/m);
    expect(lines.filter((line) => /^#\s*syntax=/i.test(line))).toEqual([]);
  });
});
