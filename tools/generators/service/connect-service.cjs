const { spellings } = require('../names.cjs');

/** Inserts a text before the only occurrence of an anchor. */
function insertBefore(tree, file, anchor, text) {
  const content = tree.read(file, 'utf8');
  const parts = content.split(anchor);
  if (parts.length !== 2) {
    throw new Error(`${file} contains ${parts.length - 1} times, not once: ${anchor.trim()}`);
  }
  tree.write(file, `${parts[0]}${text}${anchor}${parts[1]}`);
}

/** Connects a new service: local stack, gateway, API reference, compose file, and the tests of all services. */
function connectService(tree, name) {
  const { camelCase, title } = spellings(name);
  const constant = name.replaceAll('-', '_').toUpperCase();
  connectLocalStack(tree, { name, camelCase, constant });
  connectReference(tree, { name, title, constant });
  connectCompose(tree, { name, constant });
  for (const file of ['database-roles.spec.ts', 'sql-functions.spec.ts', 'docker.spec.ts']) {
    const spec = `tools/workspace/src/${file}`;
    insertBefore(
      tree,
      spec,
      "import { smsApi } from '@heliograph/sms-api';",
      `import { ${camelCase} } from '@heliograph/${name}';\n`,
    );
    insertBefore(tree, spec, 'smsApi, emailApi, chatappApi,', `${camelCase}, `);
  }
  const migrate = 'tools/ops/src/migrate.ts';
  insertBefore(
    tree,
    migrate,
    "import { smsApi } from '@heliograph/sms-api';",
    `import { ${camelCase} } from '@heliograph/${name}';\n`,
  );
  insertBefore(tree, migrate, 'smsApi, emailApi, chatappApi,', `${camelCase}, `);
}

function connectLocalStack(tree, { name, camelCase, constant }) {
  const routes = 'tools/local-stack/src/routes.ts';
  insertBefore(tree, routes, '] as const;\nexport type ServiceName', `  '${name}',\n`);
  insertBefore(
    tree,
    routes,
    '};\n\nexport interface Route {',
    `  '${name}': {\n    errorShape: 'messaging',\n    maxBodyMegabytes: 2,\n    prefixes: ['/api/${name}'],\n  },\n`,
  );
  const stack = 'tools/local-stack/src/stack.ts';
  insertBefore(
    tree,
    stack,
    'import { startService, type ServiceConfig',
    `import { ${camelCase} } from '@heliograph/${name}';\n`,
  );
  insertBefore(tree, stack, '};\n\n/** Starts everything in the order', `  '${name}': local(${camelCase}),\n`);
  insertBefore(
    tree,
    'tools/local-stack/src/service-environment.ts',
    '    // Ctrl-C should not take longer.',
    `    ${constant}_URL: \`http://127.0.0.1:\${servicePort(options, '${name}')}\`,\n`,
  );
}

function connectReference(tree, { name, title, constant }) {
  insertBefore(
    tree,
    'apps/account-api/src/account-api.config.ts',
    '  BILLING_SECRET_KEY: z',
    `  ${constant}_URL: z.url().optional().meta({\n    description: 'Internal base URL of ${name}, for the API reference.',\n    example: 'http://${name}:3000',\n  }),\n`,
  );
  insertBefore(
    tree,
    'apps/account-api/src/developer/reference/api-reference.ts',
    '    ];\n    this.reference.show',
    `      ...this.service(config.${constant}_URL, {\n        id: '${name}',\n        title: '${title}',\n        description: 'Describe the service for the readers of its API.',\n      }),\n`,
  );
}

function connectCompose(tree, { name, constant }) {
  const file = 'docker/compose.yaml';
  insertBefore(tree, file, 'services:\n  gateway:\n', composeSettings(name, constant));
  insertBefore(
    tree,
    file,
    '  BILLING_HOOK_URL: http://billing-hook:3000\n',
    `  ${constant}_URL: http://${name}:3000\n`,
  );
  insertBefore(tree, file, '  # The operator commands:', composeService(name));
  insertBefore(
    tree,
    file,
    '    secrets:\n      - OWNER_DATABASE_URL\n',
    `      ${constant}_DATABASE_URL_FILE: /run/secrets/${constant}_DATABASE_URL\n`,
  );
  insertBefore(tree, file, '    depends_on:\n      postgres:', `      - ${constant}_DATABASE_URL\n`);
  insertBefore(
    tree,
    file,
    '  PERSON_HASH_KEYS: { file:',
    `  ${constant}_DATABASE_URL: { file: ./secrets/${constant}_DATABASE_URL }\n`,
  );
  countConnections(tree);
  insertBefore(tree, 'docker/create-secrets.mjs', '];\nconst BROKER_USER', `  '${name}',\n`);
}

/** Adds one process to the table of connections. */
function countConnections(tree) {
  const file = 'docs/operations/connections.md';
  const text = tree.read(file, 'utf8');
  const [row, processes, each, sum] = /(\d+) processes of (\d+) connections +\| (\d+)/.exec(text);
  const changed = row.replace(processes, Number(processes) + 1).replace(sum, Number(sum) + Number(each));
  const all = (_, before, total) => `${before}${Number(total) + Number(each)}`;
  tree.write(file, text.replace(row, changed).replace(/(\| All +\| )(\d+)/, all));
}

const composeSettings = (name, constant) => `x-${name}-settings: &${name}-settings
  <<: *settings
  DATABASE_URL_FILE: /run/secrets/${constant}_DATABASE_URL

x-${name}: &${name}
  <<: *service
  image: heliograph/${name}:\${HELIOGRAPH_VERSION:-latest}
  build:
    <<: *build
    args:
      SERVICE: ${name}
      VERSION: \${HELIOGRAPH_VERSION:-latest}
      REVISION: \${REVISION:-}
  secrets:
    - AMQP_URL
    - REDIS_URL
    - ${constant}_DATABASE_URL

`;

const composeService = (name) => `  ${name}:
    <<: *${name}
    cpu_shares: 1024
    env_file:
      - { path: .env, required: false }
      - { path: settings/${name}.env, required: false }
    environment:
      <<: *${name}-settings
      ROLE: all

`;

module.exports = { connectService };
