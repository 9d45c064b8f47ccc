import { readdirSync } from 'node:fs';
import path from 'node:path';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

// One TypeScript program for all projects (and one for each set of browser types) is several times faster than one per
// project. For a single project it is slower.
const program = process.env.LINT_PROGRAM ? { project: process.env.LINT_PROGRAM.split(',') } : { projectService: true };
const apps = readdirSync(path.join(import.meta.dirname, 'apps'));
const tests = ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/*.fixture.ts', '**/test/**/*.ts', 'libs/testing/**/*.ts'];

// Layers: app → domain → platform → contracts.
const contracts = ['type:contracts'];
const platform = ['type:platform', ...contracts];
const domain = ['type:domain', ...platform];
const everything = { onlyDependOnLibsWithTags: ['*'] };

// Domains: every domain may use accounts, money and shared libraries. Other communication between domains uses the bus.
const foundation = ['shared', 'accounts', 'money'];
const domainScopes = ['sms', 'email', 'chatapp', 'bots', 'contacts', 'webhooks', 'analytics'];
const scopes = {
  shared: ['shared'],
  accounts: foundation,
  money: foundation,
  ...Object.fromEntries(domainScopes.map((scope) => [scope, [scope, ...foundation]])),
  campaigns: ['campaigns', 'contacts', ...foundation],
  // A new test organization has entries in the catalog of each channel.
  test: ['test', 'sms', 'email', 'chatapp', ...foundation],
};
// An app may use the domains that its scopes name. account-api manages the catalogs of every channel.
const appScopes = {
  'sms-api': ['sms', 'contacts', 'campaigns'],
  'email-api': ['email', 'contacts', 'campaigns'],
  'chatapp-api': ['chatapp'],
  'chatapp-hook': ['chatapp'],
  'bot-runtime': ['bots'],
  'billing-hook': [],
  'account-api': [...domainScopes, 'test'],
  console: [],
};
for (const app of apps) scopes[app] = [app, ...(appScopes[app] ?? [app.split('-')[0]]), ...foundation];

/** `also`: extra tags that these files may use. `allow`: imports that are exempt from the check. */
const boundaries = ({ also = [], allow = [] } = {}) => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allow,
    // The tests of a library may use `testing`, which depends on that library; production code may not.
    ignoredCircularDependencies: [['*', 'testing']],
    depConstraints: [
      { sourceTag: 'type:app', onlyDependOnLibsWithTags: [...domain, ...also] },
      { sourceTag: 'type:domain', onlyDependOnLibsWithTags: [...domain, ...also] },
      { sourceTag: 'type:platform', onlyDependOnLibsWithTags: [...platform, ...also] },
      { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: [...contracts, ...also] },
      { sourceTag: 'type:testing', onlyDependOnLibsWithTags: [...domain, 'type:testing', 'type:tool'] },
      { sourceTag: 'type:tool', ...everything },
      ...Object.entries(scopes).map(([scope, allowed]) => ({
        sourceTag: `scope:${scope}`,
        onlyDependOnLibsWithTags: [
          ...allowed.map((name) => `scope:${name}`),
          ...(also.length > 0 ? ['scope:tool', 'scope:testing'] : []),
        ],
      })),
      { sourceTag: 'scope:testing', ...everything },
      { sourceTag: 'scope:tool', ...everything },
    ],
  },
];

const environment = 'Read the environment in *.config.ts files only.';
const owned = {
  amqplib: 'Only libs/platform/messaging uses AMQP; publish and consume through it.',
  ioredis: 'Only libs/platform/service-kit uses Redis, for rate limits.',
  '@nest-lab/throttler-storage-redis': 'Only libs/platform/service-kit uses Redis, for rate limits.',
  process: environment,
  'node:process': environment,
};
/** Forbids the packages that one library owns; `except` lists packages that the files may import. */
const ownedImports = ({ except = [], patterns = [] } = {}) => [
  'error',
  {
    paths: Object.entries(owned)
      .filter(([name]) => !except.includes(name))
      .map(([name, message]) => ({ name, message })),
    patterns,
  },
];

/** Literals stand one property a line, or in a variable whose name means something. */
const plainLiterals = [
  'error',
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'Write the properties into the object, one a line.',
  },
  {
    selector: ':matches(ArrayExpression, CallExpression, NewExpression) > SpreadElement > ArrayExpression',
    message: 'Write the elements into the list.',
  },
  {
    selector: 'VariableDeclarator[id.type="ArrayPattern"][init.type="ArrayExpression"]',
    message: 'Declare the variables one by one.',
  },
];

export default tseslint.config(
  { ignores: ['**/dist', '**/node_modules', '**/.nx', '**/.data', '**/coverage', 'tmp', '**/*.cjs', '**/*.d.ts'] },
  {
    // The scripts before and around the build: no types, no project graph.
    files: ['**/*.mjs'],
    extends: [...tseslint.configs.recommended, prettier],
    rules: {
      eqeqeq: ['error', 'smart'],
      'no-restricted-syntax': plainLiterals,
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommended, prettier],
    languageOptions: { parserOptions: { ...program, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(),
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-restricted-imports': ownedImports(),
      'no-restricted-syntax': plainLiterals,
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: environment }],
      eqeqeq: ['error', 'smart'],
    },
  },
  {
    files: ['libs/contracts/**/*.ts'],
    rules: {
      'no-restricted-imports': ownedImports({
        patterns: [
          { group: ['@nestjs/*', 'typeorm'], message: 'Contracts are for any consumer: no Nest, no TypeORM.' },
        ],
      }),
    },
  },
  {
    files: ['libs/platform/messaging/**/*.ts'],
    rules: { 'no-restricted-imports': ownedImports({ except: ['amqplib'] }) },
  },
  {
    files: ['libs/platform/service-kit/**/*.ts'],
    rules: { 'no-restricted-imports': ownedImports({ except: ['ioredis', '@nest-lab/throttler-storage-redis'] }) },
  },
  {
    files: tests,
    rules: {
      '@nx/enforce-module-boundaries': boundaries({ also: ['type:testing', 'type:tool'] }),
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-imports': 'off',
    },
  },
  {
    files: ['tools/**/*.ts'],
    rules: {
      // Tools start and measure the apps, which no other project may import.
      '@nx/enforce-module-boundaries': boundaries({ allow: apps.map((app) => `@heliograph/${app}`) }),
      'no-restricted-imports': 'off',
    },
  },
  { files: [...tests, '**/*.config.ts', 'tools/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
);
