import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const libraries = ['type:domain', 'type:platform', 'type:contracts'];
const boundaries = (testing) => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allow: [],
    depConstraints: [
      { sourceTag: 'type:app', onlyDependOnLibsWithTags: [...libraries, ...testing] },
      { sourceTag: 'type:domain', onlyDependOnLibsWithTags: [...libraries, ...testing] },
      { sourceTag: 'type:platform', onlyDependOnLibsWithTags: ['type:platform', 'type:contracts', ...testing] },
      { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: ['type:contracts', ...testing] },
      { sourceTag: 'type:testing', onlyDependOnLibsWithTags: [...libraries, 'type:testing', 'type:tool'] },
      { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['*'] },
      { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared', ...(testing.length ? ['scope:tool'] : [])] },
      { sourceTag: 'scope:sms-api', onlyDependOnLibsWithTags: ['scope:sms-api', 'scope:shared', ...(testing.length ? ['scope:tool'] : [])] },
      { sourceTag: 'scope:tool', onlyDependOnLibsWithTags: ['*'] },
    ],
  },
];
const restricted = (...names) => [
  'error',
  {
    paths: names.map((name) => ({
      name,
      message: `${name} is used in one library only; go through its interface.`,
    })),
  },
];
const tests = ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/test/**/*.ts', 'libs/testing/**/*.ts'];

export default tseslint.config(
  { ignores: ['**/dist', '**/node_modules', '**/.nx', '**/.data', '**/coverage', '**/*.cjs', '**/*.mjs', '**/*.d.ts'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommended, prettier],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': boundaries([]),
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-restricted-imports': restricted('amqplib', 'ioredis', '@nest-lab/throttler-storage-redis'),
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in *.config.ts alone.' },
      ],
      eqeqeq: ['error', 'smart'],
    },
  },
  { files: ['libs/messaging/**/*.ts'], rules: { 'no-restricted-imports': restricted('ioredis') } },
  { files: ['libs/platform/**/*.ts'], rules: { 'no-restricted-imports': restricted('amqplib') } },
  { files: ['**/*.config.ts', 'tools/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: tests,
    rules: {
      '@nx/enforce-module-boundaries': boundaries(['type:testing', 'type:tool']),
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-imports': 'off',
      'no-restricted-properties': 'off',
    },
  },
);
