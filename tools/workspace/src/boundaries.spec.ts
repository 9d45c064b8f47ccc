import { inspectWorkspace } from './inspect-workspace';

const BOUNDARIES = '@nx/enforce-module-boundaries';
const IMPORTS = 'no-restricted-imports';
const PROPERTIES = 'no-restricted-properties';

interface Planted {
  name: string;
  /** Creates a file in this folder with the code. */
  folder: string;
  code: string;
  /** Returns the rules that reject the code. */
  rules: string[];
}

const planted = (name: string, folder: string, code: string, ...rules: string[]): Planted => ({
  name,
  folder,
  code: `${code}\n`,
  rules,
});

const layers = [
  planted(
    'a platform library that imports a domain library',
    'libs/platform/addresses/src',
    `export { generateKey } from '@heliograph/auth';`,
    BOUNDARIES,
  ),
  planted(
    'contracts that import a platform library',
    'libs/contracts/src',
    `export { migrate } from '@heliograph/database';`,
    BOUNDARIES,
  ),
  planted(
    'a domain library that imports an app',
    'libs/sms/catalog/src',
    `export { smsApi } from '@heliograph/sms-api';`,
    BOUNDARIES,
  ),
  planted(
    'a platform library that imports an app',
    'libs/platform/addresses/src',
    `export { smsApi } from '@heliograph/sms-api';`,
    BOUNDARIES,
  ),
  planted(
    'an app that imports another app',
    'apps/sms-api/src',
    `export { emailApi } from '@heliograph/email-api';`,
    BOUNDARIES,
  ),
  planted(
    'a test of an app that imports another app',
    'apps/sms-api/test',
    `export { emailApi } from '@heliograph/email-api';`,
    BOUNDARIES,
  ),
  planted(
    'production code that imports testing',
    'apps/sms-api/src',
    `export * from '@heliograph/testing';`,
    BOUNDARIES,
  ),
  planted(
    'production code that imports a tool',
    'apps/sms-api/src',
    `export * from '@heliograph/simulators';`,
    BOUNDARIES,
  ),
  planted(
    'libraries that import each other',
    'libs/platform/database/src',
    `export { METRICS } from '@heliograph/service-kit';`,
    BOUNDARIES,
  ),
  planted(
    'a path into another project',
    'apps/sms-api/src',
    `export * from '../../../libs/platform/addresses/src/phone/country-code';`,
    BOUNDARIES,
  ),
];

const scopes = [
  planted(
    'billing-hook that imports the search of the bots',
    'apps/billing-hook/src',
    `export * from '@heliograph/bot-search';`,
    BOUNDARIES,
  ),
  planted(
    'an SMS library that imports an email library',
    'libs/sms/catalog/src',
    `export * from '@heliograph/email-catalog';`,
    BOUNDARIES,
  ),
  planted(
    'an SMS library that imports a type of an email library',
    'libs/sms/catalog/src',
    `export type * from '@heliograph/email-catalog';`,
    BOUNDARIES,
  ),
  planted(
    'sms-api that imports an email library',
    'apps/sms-api/src',
    `export * from '@heliograph/email-catalog';`,
    BOUNDARIES,
  ),
  planted(
    'an accounts library that imports a bot library',
    'libs/accounts/users/src',
    `export * from '@heliograph/bot-catalog';`,
    BOUNDARIES,
  ),
  planted(
    'a money library that imports a chat-app library',
    'libs/money/credits/src',
    `export * from '@heliograph/chatapp-catalog';`,
    BOUNDARIES,
  ),
];

const owners = [
  planted('contracts that import Nest', 'libs/contracts/src', `export { Injectable } from '@nestjs/common';`, IMPORTS),
  planted('contracts that import TypeORM', 'libs/contracts/src', `export { Entity } from 'typeorm';`, IMPORTS),
  planted('AMQP outside messaging', 'apps/sms-api/src', `export { connect } from 'amqplib';`, IMPORTS),
  planted('Redis outside service-kit', 'libs/platform/addresses/src', `export { Redis } from 'ioredis';`, IMPORTS),
  planted('Redis in messaging', 'libs/platform/messaging/src', `export { Redis } from 'ioredis';`, IMPORTS),
  planted(
    'the environment outside a config file',
    'libs/platform/addresses/src',
    `export const region = process.env.REGION;`,
    PROPERTIES,
  ),
  planted(
    'the environment by destructuring',
    'libs/platform/addresses/src',
    `export const { env } = process;`,
    PROPERTIES,
  ),
  planted('the environment by import', 'libs/platform/addresses/src', `export { env } from 'node:process';`, IMPORTS),
];

const allowed = [
  planted(
    'an app that imports a library of its domain',
    'apps/sms-api/src',
    `export * from '@heliograph/sms-catalog';`,
  ),
  planted(
    'an app that imports an accounts library',
    'apps/email-api/src',
    `export { generateKey } from '@heliograph/auth';`,
  ),
  planted('a domain that imports money', 'libs/email/catalog/src', `export * from '@heliograph/credits';`),
  planted(
    'account-api that imports the catalog of a channel',
    'apps/account-api/src',
    `export * from '@heliograph/email-catalog';`,
  ),
  planted('a test that imports testing', 'libs/platform/database/test', `export { until } from '@heliograph/testing';`),
  planted('a test that imports a tool', 'apps/sms-api/test', `export * from '@heliograph/simulators';`),
  planted('a tool that imports an app', 'tools/workspace/src', `export { smsApi } from '@heliograph/sms-api';`),
];

const all = [...layers, ...scopes, ...owners, ...allowed];
const brokenRules = new Map<Planted, string[]>();

beforeAll(async () => {
  const lint = all.map(({ folder, code }) => ({
    file: `${folder}/planted${folder.endsWith('/test') ? '.e2e-spec' : ''}.ts`,
    code,
  }));
  const results = await inspectWorkspace({ lint });
  all.forEach((each, index) => brokenRules.set(each, results.lint[index]!));
});

describe('the lint', () => {
  it.each([...layers, ...scopes, ...owners])('rejects $name', (each) => {
    expect(brokenRules.get(each)).toEqual(each.rules);
  });

  it.each(allowed)('accepts $name', (each) => {
    expect(brokenRules.get(each)).toEqual([]);
  });
});
