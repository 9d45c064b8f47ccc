// node docker/create-secrets.mjs: creates the secrets of a deployment as files in docker/secrets. It never changes an existing file.
// Without Node.js on the host:
//   docker run --rm -v "$PWD/docker:/docker" node:24-bookworm-slim node /docker/create-secrets.mjs
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVICES = [
  // Each has a database login of its own.
  'sms-api',
  'email-api',
  'chatapp-api',
  'chatapp-hook',
  'bot-runtime',
  'account-api',
  'billing-hook',
];
const BROKER_USER = 'heliograph';

/** The files that others give you. They are created empty; an empty file means that the setting has no value. */
export const GIVEN_SECRETS = {
  SMS_CARRIERS: 'your SMPP accounts; without them no SMS is sent',
  EMAIL_SMTP_URL: 'your submission server; email-api does not start without it',
  CHATAPP_ACCESS_TOKEN: 'the token at the chat-app provider',
  CHATAPP_APP_SECRET: 'the app secret at the chat-app provider; chatapp-hook does not start without it',
  BILLING_SECRET_KEY: 'the API key at the payment processor',
  BILLING_WEBHOOK_SECRET: 'the secret of the webhook at the payment processor',
  BOT_MODEL_KEY: 'the key of a language model',
  REPORTS_S3_URL: 'the object storage of report files',
  EMAIL_RETURN_TLS_KEY: 'the private key of the listener for returned mail',
  EMAIL_PLATFORM_DKIM_KEY: 'the DKIM key of EMAIL_PLATFORM_FROM',
};

const token = (bytes = 32) => randomBytes(bytes).toString('hex');
const keyRing = () => `k1:${randomBytes(32).toString('base64')}`;

/** The hash of RabbitMQ: four random bytes, and the SHA-256 of these and the password. */
function brokerPasswordHash(password) {
  const salt = randomBytes(4);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return Buffer.concat([salt, hash]).toString('base64');
}

function brokerDefinitions(password) {
  const user = {
    name: BROKER_USER,
    password_hash: brokerPasswordHash(password),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags: ['administrator'],
  };
  const permission = { user: BROKER_USER, vhost: '/', configure: '.*', write: '.*', read: '.*' };
  return JSON.stringify({ vhosts: [{ name: '/' }], users: [user], permissions: [permission] });
}

/** Anonymous clients may only send PING, which is the health check. */
function redisUsers(password) {
  const hash = createHash('sha256').update(password).digest('hex');
  return ['user default on nopass resetchannels -@all +ping', `user heliograph on #${hash} ~* &* +@all -@admin`].join(
    '\n',
  );
}

/**
 * The secrets that are random, by their file names. Two files that contain the same password are created together: `present` says
 * which files exist.
 */
export function randomSecrets(present = () => false) {
  const secrets = {
    PERSON_HASH_KEYS: token(),
    SECRETS_KEYS: keyRing(),
    EMAIL_SECRETS_KEYS: keyRing(),
    EMAIL_TOKEN_SECRET: token(),
    CHATAPP_VERIFY_TOKEN: token(),
    PLATFORM_OPERATOR_TOKEN: token(),
  };
  for (const service of SERVICES) {
    const name = service.replaceAll('-', '_');
    secrets[`${name.toUpperCase()}_DATABASE_URL`] = databaseUrl(`heliograph_${name}`, token());
  }
  const pairs = {
    POSTGRES_PASSWORD: () => {
      const password = token();
      return { POSTGRES_PASSWORD: password, OWNER_DATABASE_URL: databaseUrl('heliograph', password) };
    },
    RABBITMQ_DEFINITIONS: () => {
      const password = token();
      const AMQP_URL = `amqp://${BROKER_USER}:${password}@rabbitmq:5672`;
      return { RABBITMQ_DEFINITIONS: brokerDefinitions(password), AMQP_URL };
    },
    REDIS_USERS: () => {
      const password = token();
      return { REDIS_USERS: redisUsers(password), REDIS_URL: `redis://heliograph:${password}@redis:6379` };
    },
  };
  for (const create of Object.values(pairs)) {
    const pair = create();
    const existing = Object.keys(pair).filter(present);
    if (existing.length === 1) throw new Error(`${existing[0]} exists without the file that belongs to it: delete it`);
    Object.assign(secrets, pair);
  }
  return secrets;
}

function databaseUrl(user, password) {
  return `postgres://${user}:${password}@postgres:5432/heliograph`;
}

function main() {
  const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'secrets');
  // Nobody else on the host can enter the folder. The files are readable, because each container reads them as its own user.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (name) => path.join(folder, name);
  const isPresent = (name) => existsSync(fileOf(name));
  const random = randomSecrets(isPresent);
  let created = 0;
  for (const name of [...Object.keys(random), ...Object.keys(GIVEN_SECRETS)]) {
    if (isPresent(name)) continue;
    writeFileSync(fileOf(name), random[name] ? `${random[name]}\n` : '', { mode: 0o644 });
    created++;
  }
  console.log(`${created} files created in ${folder}`);
  const empty = Object.entries(GIVEN_SECRETS).filter(([name]) => readFileSync(fileOf(name), 'utf8').trim() === '');
  if (empty.length === 0) return;
  console.log('Put the values that others give you into these files; leave a file empty if you do not use it:');
  for (const [name, meaning] of empty) console.log(`  docker/secrets/${name}: ${meaning}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
