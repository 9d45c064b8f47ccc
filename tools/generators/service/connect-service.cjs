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
    '  /** API key of the payment processor. If it is not set, credits',
    `  ${constant}_URL: z.url().optional(),\n`,
  );
  insertBefore(
    tree,
    'apps/account-api/src/developer/reference/api-reference.ts',
    '    ]);\n  }\n\n  private service',
    `      ...this.service(config.${constant}_URL, {\n        id: '${name}',\n        title: '${title}',\n        description: 'Describe the service for the readers of its API.',\n      }),\n`,
  );
}

function connectCompose(tree, { name, constant }) {
  const file = 'docker/compose.yaml';
  insertBefore(tree, file, 'x-account-config: &account-config\n', composeConfig(name, constant));
  insertBefore(tree, file, '\nx-billing-config: &billing-config\n', `  ${constant}_URL: http://${name}:3000\n`);
  insertBefore(
    tree,
    file,
    '  rabbitmq: { condition: service_healthy }\n  redis: { condition: service_healthy }\n',
    `  ${name}-migrate: { condition: service_completed_successfully }\n`,
  );
  insertBefore(
    tree,
    file,
    '    healthcheck:\n      test: [CMD, wget,',
    `      ${name}: { condition: service_healthy }\n`,
  );
  insertBefore(tree, file, '  sms-migrate:\n    <<: *sms\n', composeServices(name));
  insertBefore(tree, 'docker/.env.example', 'RABBITMQ_PASSWORD=', `${constant}_DATABASE_PASSWORD=\n`);
}

const composeConfig = (name, constant) => `x-${name}: &${name}
  <<: *hardened
  image: heliograph/${name}
  build:
    context: ..
    dockerfile: docker/Dockerfile
    args: { SERVICE: ${name} }
  stop_grace_period: 30s
  networks: [edge, data]

x-${name}-config: &${name}-config
  <<: *config
  DATABASE_URL: postgres://heliograph_${name.replaceAll('-', '_')}:\${${constant}_DATABASE_PASSWORD:?choose a password, see docker/.env.example}@postgres:5432/heliograph

`;

const composeServices = (name) => `  ${name}:
    <<: *${name}
    environment: { <<: *${name}-config }
    depends_on: *after-migration

  ${name}-migrate:
    <<: *${name}
    restart: 'no'
    command: [node, migrate.js]
    environment: { <<: [*${name}-config, *owner] }
    healthcheck: { disable: true }
    depends_on:
      postgres: { condition: service_healthy }

`;

module.exports = { connectService };
