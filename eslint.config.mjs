import { readdirSync } from 'node:fs';
import path from 'node:path';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

// One program for everything (and one for each set of browser types) is several times faster than one for each project;
// for a single project it is slower.
const program = process.env.LINT_PROGRAM ? { project: process.env.LINT_PROGRAM.split(',') } : { projectService: true };
const apps = readdirSync(path.join(import.meta.dirname, 'apps'));
const tests = ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/*.fixture.ts', '**/test/**/*.ts', 'libs/testing/**/*.ts'];

// app → domain → platform → contracts, and nobody reaches up.
const contracts = ['type:contracts'];
const platform = ['type:platform', ...contracts];
const domain = ['type:domain', ...platform];
const everything = { onlyDependOnLibsWithTags: ['*'] };

/** `also`: tags that these files may use beside what their layer may. `allow`: imports that are never asked about. */
const boundaries = ({ also = [], allow = [] } = {}) => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allow,
    // A lib's own tests may use testing, which itself stands on that lib; production code may not.
    ignoredCircularDependencies: [['*', 'testing']],
    depConstraints: [
      { sourceTag: 'type:app', onlyDependOnLibsWithTags: [...domain, ...also] },
      { sourceTag: 'type:domain', onlyDependOnLibsWithTags: [...domain, ...also] },
      { sourceTag: 'type:platform', onlyDependOnLibsWithTags: [...platform, ...also] },
      { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: [...contracts, ...also] },
      { sourceTag: 'type:testing', onlyDependOnLibsWithTags: [...domain, 'type:testing', 'type:tool'] },
      { sourceTag: 'type:tool', ...everything },
      // What belongs to one app is for that app; what is shared stands on shared things alone.
      ...['shared', ...apps].map((scope) => ({
        sourceTag: `scope:${scope}`,
        onlyDependOnLibsWithTags: [`scope:${scope}`, 'scope:shared', ...(also.length > 0 ? ['scope:tool'] : [])],
      })),
      { sourceTag: 'scope:tool', ...everything },
    ],
  },
];

const environment = 'The environment is read in *.config.ts alone.';
const owned = {
  amqplib: 'Only libs/messaging speaks AMQP; publish and consume through it.',
  ioredis: 'Only libs/platform speaks to Redis, for the limits.',
  '@nest-lab/throttler-storage-redis': 'Only libs/platform speaks to Redis, for the limits.',
  process: environment,
  'node:process': environment,
};
/** Forbids the packages that one library owns; `except` names those that the files at hand may import. */
const ownedImports = ({ except = [], patterns = [] } = {}) => [
  'error',
  {
    paths: Object.entries(owned)
      .filter(([name]) => !except.includes(name))
      .map(([name, message]) => ({ name, message })),
    patterns,
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
  { files: ['libs/messaging/**/*.ts'], rules: { 'no-restricted-imports': ownedImports({ except: ['amqplib'] }) } },
  {
    files: ['libs/platform/**/*.ts'],
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
      // Tools start and measure the apps, which nothing else may import.
      '@nx/enforce-module-boundaries': boundaries({ allow: apps.map((app) => `@heliograph/${app}`) }),
      'no-restricted-imports': 'off',
    },
  },
  { files: [...tests, '**/*.config.ts', 'tools/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
);
