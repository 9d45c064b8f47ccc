import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { databaseConfigSchema, HASTY_COMMITS } from '@heliograph/database';
import { emailApi } from '@heliograph/email-api';
import { describeSettings } from '@heliograph/service-kit';
import { smsApi } from '@heliograph/sms-api';
import { compose, readDockerFile, SecretsFolder, substituted } from './compose';
import { copiedIntoImage } from './dockerfile';
import { exampleSettings } from './example-settings';
import { workspaceRoot } from './workspace-copy';

const services = Object.entries(compose.services);
/** The console is part of account-api, and the command line is a package of its own. */
const apps = readdirSync(path.join(workspaceRoot, 'apps')).filter((app) => !['cli', 'console'].includes(app));
const definitions = [smsApi, emailApi, chatappApi, chatappHook, botRuntime, accountApi, billingHook];
const appOf = (name: string): string => compose.services[name]?.build?.args['SERVICE'] ?? '';
/** The long-running containers of the apps. */
const processes = services.filter(([name]) => appOf(name) !== '');
const definitionOf = (name: string) => definitions.find((definition) => definition.name === appOf(name))!;
const sharedSettings = Object.keys(compose['x-settings']).map((variable) => variable.replace(/_FILE$/, ''));
const read = (file: string) => readDockerFile(path.relative('docker', file));

const secrets = new SecretsFolder();
beforeAll(() => {
  secrets.create();
  secrets.fillGiven();
});
afterAll(() => secrets.remove());

/** The bytes of a size such as `512m`. */
function bytesOf(size: string): number {
  const [, number = '', unit = ''] = /^(\d+)([mg])b?$/i.exec(size) ?? [];
  return Number(number) * (unit.toLowerCase() === 'g' ? 1_024 ** 3 : 1_024 ** 2);
}

const secondsOf = (duration: string): number => Number(/^(\d+)s$/.exec(duration)?.[1]);

describe('the compose file', () => {
  it('has the gateway, the three servers, one migration job, the operator commands, and every app', () => {
    const names = services.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['gateway', 'postgres', 'rabbitmq', 'redis', 'ops']));
    expect(services.filter(([, { command }]) => command?.includes('migrate')).map(([name]) => name)).toEqual([
      'migrate',
    ]);
    expect(new Set(processes.map(([name]) => appOf(name)))).toEqual(new Set(apps));
  });

  it('builds existing apps and targets from an existing Dockerfile, with labels of the version', () => {
    const built = services.flatMap(([, { build }]) => (build ? [build] : []));
    expect(built.length).toBeGreaterThan(apps.length);
    for (const { context, dockerfile, target, args } of built) {
      expect(target === 'ops' || apps.includes(args['SERVICE'] ?? '')).toBe(true);
      expect(args).toMatchObject({ VERSION: '${HELIOGRAPH_VERSION:-latest}', REVISION: '${REVISION:-}' });
      expect(existsSync(path.join(workspaceRoot, 'docker', context, dockerfile))).toBe(true);
    }
  });

  it.each(services)('gives %s only the permissions and the resources that it needs', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.tmpfs).toContain('/tmp');
    // The images of the product run as a non-root user; other images get a user from the compose file.
    if (!service.build) expect(service.user).toMatch(/^[a-z]+$/);
    expect(bytesOf(service.mem_limit ?? '')).toBeGreaterThan(0);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.logging).toMatchObject({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } });
  });

  it('gives workers fewer CPU shares than the APIs', () => {
    const sharesOf = (isApi: boolean) =>
      processes
        .filter(([, { environment }]) => /^(?:all|api)$/.test(environment!['ROLE']!) === isApi)
        .map(([, service]) => service.cpu_shares ?? 0);
    expect(Math.max(...sharesOf(false))).toBeLessThan(Math.min(...sharesOf(true)));
  });

  it('has a health check for every long-running service', () => {
    // The images of the product contain their health check.
    const unwatched = services.filter(([, { build, healthcheck }]) => !build && !healthcheck);
    expect(unwatched).toEqual([]);
    expect(read('docker/Dockerfile')).toContain('\nHEALTHCHECK ');
  });

  it.each(processes.map(([name]) => name))('starts %s after the migration job', (name) => {
    expect(compose.services[name]!.depends_on).toMatchObject({
      migrate: { condition: 'service_completed_successfully' },
    });
    expect(compose.services['migrate']!.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
  });

  it('does not start the gateway again when a service changes', () => {
    expect(compose.services['gateway']!.depends_on).toBeUndefined();
  });

  it.each(processes)('lets %s finish its work before it is killed', (name, service) => {
    const { SHUTDOWN_GRACE_MS: graceMs } = definitionOf(name).loadConfig(secrets.environmentOf(service));
    const delayMs = Number(service.environment!['SHUTDOWN_DELAY_MS']);
    expect(delayMs).toBe(5_000);
    // A process ends 10 s after its grace period in any case.
    expect(secondsOf(service.stop_grace_period ?? '') * 1_000).toBeGreaterThanOrEqual(delayMs + graceMs + 10_000);
    // The gateway closes idle connections before the listener of an instance closes.
    const [, idleSeconds] = /keepalive_timeout (\d+)s;\n\}/.exec(read('deploy/nginx/gateway.docker.conf')) ?? [];
    expect(Number(idleSeconds) * 1_000).toBeLessThan(delayMs);
  });

  it.each(processes)('gives %s a valid configuration in production', (name, service) => {
    const settings = definitionOf(name).loadConfig(secrets.environmentOf(service));
    expect(settings).toMatchObject({
      ROLE: service.environment!['ROLE'],
      TRUST_PROXY: '1',
      PUBLIC_BASE_URL: 'https://messaging.example.com',
    });
  });

  it.each(processes)('can set every setting of %s', (name, service) => {
    const own = service.environment ?? {};
    const determined = Object.keys(own).filter((setting) => !setting.endsWith('_FILE'));
    const settings = describeSettings(definitionOf(name).configSchema);
    for (const { name: setting, isSecret } of settings) {
      // Secrets are files, settings of the deployment are fixed, and all others come from the files of variables.
      if (isSecret)
        expect([setting, own[`${setting}_FILE`]]).toEqual([setting, expect.stringMatching(/^\/run\/secrets\//)]);
      else if (!determined.includes(setting)) expect(service.env_file?.map((file) => file.path)).toContain('.env');
    }
    expect(service.env_file).toEqual([
      { path: '.env', required: false },
      { path: `settings/${name}.env`, required: false },
    ]);
    // No variable of the compose file has a misspelt name. Those of all services need not be settings of this one.
    const known = [...settings.map((setting) => setting.name), ...sharedSettings];
    expect(Object.keys(own).filter((variable) => !known.includes(variable.replace(/_FILE$/, '')))).toEqual([]);
  });

  it('gives all services only settings that some of them have', () => {
    const known = processes.flatMap(([name]) => describeSettings(definitionOf(name).configSchema));
    const names = new Set(known.map((setting) => setting.name));
    expect(sharedSettings.filter((variable) => variable !== 'NODE_ENV' && !names.has(variable))).toEqual([]);
  });

  it.each(services)('passes secrets to %s as files only', (_, service) => {
    const files = Object.entries(service.environment ?? {}).filter(([name]) => name.endsWith('_FILE'));
    const mounted = new Set(service.secrets);
    for (const [, file] of files) expect(mounted).toContain(path.basename(file));
    for (const name of mounted) expect(compose.secrets[name]).toEqual({ file: `./secrets/${name}` });
    const values = Object.values(secrets.read()).filter((value) => value.length >= 16);
    const visible = JSON.stringify(service);
    expect(values.filter((value) => visible.includes(value))).toEqual([]);
  });

  it('row 7: has no default for any password, and creates a random one for each role', () => {
    expect(readDockerFile('compose.yaml')).not.toMatch(/PASSWORD\w*: [^/{]/);
    const urls = Object.entries(secrets.read()).filter(([name]) => name.endsWith('_URL'));
    const passwords = urls.map(([, url]) => (URL.canParse(url) ? new URL(url).password : ''));
    const random = passwords.filter((password) => /^[0-9a-f]{64}$/.test(password));
    // One of each app, of the owner, of RabbitMQ and of Redis.
    expect(new Set(random).size).toBe(apps.length + 3);
  });

  it.each(definitions)('row 7: gives $name its own database role, which the migration job creates', (definition) => {
    const variable = `${definition.name.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`;
    expect(new URL(secrets.read()[variable] ?? '').username).toBe(definition.access.role);
    for (const [, { environment }] of processes.filter(([name]) => appOf(name) === definition.name)) {
      expect(environment!['DATABASE_URL_FILE']).toBe(`/run/secrets/${variable}`);
    }
    expect(compose.services['migrate']!.environment).toMatchObject({
      DATABASE_URL_FILE: '/run/secrets/OWNER_DATABASE_URL',
      [`${variable}_FILE`]: `/run/secrets/${variable}`,
    });
  });

  it('never changes an existing secret', () => {
    const before = secrets.read();
    expect(secrets.create()).toMatch(/^0 files created/);
    expect(secrets.read()).toEqual(before);
    expect(Object.keys(before).sort()).toEqual(Object.keys(compose.secrets).sort());
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
      ['gateway', '127.0.0.1:8443:8443'],
      ['email-worker', '127.0.0.1:2525:2525'],
    ]);
  });

  it('has all required variables of sms-api in the commands of README.md', () => {
    const [, command = ''] = /^(docker run --read-only [^]*?)\n(?:```|\n)/m.exec(readDockerFile('../README.md')) ?? [];
    const names = [...command.matchAll(/-e (\w+)=/g)].map(([, name = '']) => name);
    const { SMS_API_DATABASE_URL, AMQP_URL, REDIS_URL } = secrets.read();
    const known = { DATABASE_URL: SMS_API_DATABASE_URL, AMQP_URL, REDIS_URL, ...exampleSettings };
    const given = Object.entries(known).filter(([name]) => names.includes(name));
    expect(() => smsApi.loadConfig({ NODE_ENV: 'production', ...Object.fromEntries(given) })).not.toThrow();
  });

  it.each(['gateway.conf', 'gateway.docker.conf'])('uses the port of the image in %s', (file) => {
    const upstreams = [...readDockerFile(`../deploy/nginx/${file}`).matchAll(/server ([\w-]+):(\d+)(?: resolve)?;/g)];
    expect(upstreams.length).toBeGreaterThan(2);
    for (const [, host, port] of upstreams) {
      expect(Object.keys(compose.services)).toContain(host);
      expect(read('docker/Dockerfile')).toContain(`PORT=${port}\n`);
    }
  });
});

describe('the servers of the compose file', () => {
  const settingOf = (file: string, name: string): string =>
    new RegExp(`^${name.replaceAll('.', '\\.')} = (.+)$`, 'm').exec(readDockerFile(file))?.[1] ?? '';

  it('tell RabbitMQ the memory limit of its container', () => {
    const told = settingOf('rabbitmq.conf', 'total_memory_available_override_value').replace(/GB$/, 'g');
    expect(bytesOf(told)).toBe(bytesOf(compose.services['rabbitmq']!.mem_limit!));
  });

  it('let PostgreSQL accept all connections of the deployment, also during a release', () => {
    const { DATABASE_POOL_SIZE: pool } = databaseConfigSchema.parse({ DATABASE_URL: 'postgres://x/x' });
    // The pool, the group commits of several organizations, and LISTEN.
    const ofProcess = pool + HASTY_COMMITS.max + 1;
    const ofProcesses = processes.length * ofProcess;
    // A second instance of one service, the lock and the connection of the migration, two operator commands with a pool each.
    const ofRelease = ofProcess + 2 + 2 * 10;
    // superuser_reserved_connections, and the connections of a base backup.
    const ofServer = 3 + 2;
    const budget = ofProcesses + ofRelease + ofServer;
    expect(Number(settingOf('postgresql.conf', 'max_connections'))).toBeGreaterThanOrEqual(budget);
    const page = readDockerFile('../docs/operations/connections.md');
    expect(page).toMatch(new RegExp(`^\\| All +\\| ${budget} +\\|$`, 'm'));
    expect(page).toContain(`${processes.length} processes of ${ofProcess} connections`);
  });
});

describe('the Dockerfile', () => {
  const lines = read('docker/Dockerfile').split('\n');

  it('copies existing files that .dockerignore includes', () => {
    const letThrough = readDockerFile('../.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    const sources = copiedIntoImage();
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect([source, existsSync(path.join(workspaceRoot, source))]).toEqual([source, true]);
      expect(letThrough).toContain(`!${source}`);
    }
  });

  it('runs node directly, not as root, on the active LTS release, and needs no frontend from a registry', () => {
    const last = (instruction: string) => lines.filter((line) => line.startsWith(`${instruction} `)).at(-1);
    expect(last('CMD')).toMatch(/^CMD \["node", .*"main\.js"\]$/);
    expect(last('USER')).toBe('USER node');
    expect(lines).toContain('ARG NODE_IMAGE=node:24-bookworm-slim');
    expect(lines.filter((line) => /^#\s*syntax=/i.test(line))).toEqual([]);
  });

  it('copies only the app of an image before it is built, so that a change rebuilds one image', () => {
    const stage = read('docker/Dockerfile').split('AS service-build')[1]!.split('FROM')[0]!;
    expect(stage).toContain('COPY apps/${SERVICE} apps/${SERVICE}');
    // The packages are installed before the code is copied.
    const text = lines.join('\n');
    expect(text.indexOf('RUN --mount=type=cache,target=/root/.npm npm ci')).toBeLessThan(text.indexOf('COPY libs'));
  });
});
