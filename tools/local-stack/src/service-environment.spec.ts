import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { emailApi } from '@heliograph/email-api';
import { smsApi } from '@heliograph/sms-api';
import { ProviderSimulator } from '@heliograph/simulators';
import { chatappAccount, serviceEnvironment, signatureHeader, webhookSecret } from './service-environment';
import type { ServiceName } from './routes';
import type { StackOptions } from './stack.config';

const surroundings = {
  databaseUrl: 'postgres://x@localhost/x',
  gatewayAddress: '127.0.0.2',
  smppPort: 1,
  smtpPort: 2525,
  graphUrl: 'http://127.0.0.1:3',
  providerAccount: new ProviderSimulator().account,
};

const options = (given: Record<string, string> = {}, emptied: string[] = []) =>
  ({ port: 8080, dataDir: '.data', keyPrefix: 'msg', given, emptied: new Set(emptied) }) as unknown as StackOptions;
const settings = (given?: Record<string, string>) =>
  emailApi.loadConfig(serviceEnvironment(options(given), 'email-api', surroundings));

describe('the config of email-api in the local stack', () => {
  it('uses the simulator and a return path of the stack', () => {
    expect(settings()).toMatchObject({
      PORT: 8082,
      EMAIL_SMTP_URL: 'smtp://127.0.0.1:2525',
      EMAIL_SMTP_VERIFY_TLS: false,
      EMAIL_RETURN_HOST: '127.0.0.1',
      EMAIL_RETURN_PORT: 8088,
    });
  });

  it('verifies the certificate of a real server', () => {
    expect(settings({ EMAIL_SMTP_URL: 'smtps://real.example' })).toMatchObject({
      EMAIL_SMTP_URL: 'smtps://real.example',
      EMAIL_SMTP_VERIFY_TLS: true,
    });
  });
});

describe('the config of chat-app in the local stack', () => {
  const environment = (...args: Parameters<typeof options>) => {
    const providerAccount = new ProviderSimulator(chatappAccount(options(...args))).account;
    const env = serviceEnvironment(options(...args), 'chatapp-api', { ...surroundings, providerAccount });
    return { env, providerAccount, api: chatappApi.loadConfig(env), hook: chatappHook.loadConfig(env) };
  };
  const ACCOUNT = {
    CHATAPP_ACCESS_TOKEN: 'token',
    CHATAPP_PHONE_NUMBER_ID: '1',
    CHATAPP_BUSINESS_ACCOUNT_ID: '2',
    CHATAPP_APP_SECRET: 'secret',
    CHATAPP_VERIFY_TOKEN: 'word',
  };

  it('uses the account of the simulator without rate limits', () => {
    const { api, hook, env, providerAccount } = environment();
    expect(api).toMatchObject({
      PORT: 8083,
      CHATAPP_SENDING_ENABLED: true,
      CHATAPP_GRAPH_URL: 'http://127.0.0.1:3',
      CHATAPP_ACCESS_TOKEN: providerAccount.accessToken,
      CHATAPP_PHONE_NUMBER_ID: providerAccount.phoneNumberId,
      CHATAPP_BUSINESS_ACCOUNT_ID: providerAccount.businessAccountId,
      CHATAPP_PRODUCT: providerAccount.product,
      CHATAPP_MESSAGES_PER_SECOND: 0,
      CHATAPP_PAIR_BURST: 0,
    });
    expect(hook).toMatchObject({
      CHATAPP_APP_SECRET: [providerAccount.appSecret],
      CHATAPP_VERIFY_TOKEN: expect.stringMatching(/\S/),
    });
    expect(accountApi.loadConfig(env).CHATAPP_PHONE_NUMBER_ID).toBe(providerAccount.phoneNumberId);
  });

  it('shares given values with the simulator', () => {
    const { api, hook, providerAccount } = environment({ ...ACCOUNT, CHATAPP_PRODUCT: 'other' });
    expect({ ...api, ...hook }).toMatchObject({
      ...ACCOUNT,
      CHATAPP_APP_SECRET: [ACCOUNT.CHATAPP_APP_SECRET],
      CHATAPP_PRODUCT: 'other',
    });
    expect(providerAccount).toMatchObject({
      accessToken: 'token',
      phoneNumberId: '1',
      businessAccountId: '2',
      appSecret: 'secret',
      product: 'other',
    });
  });

  it('accepts both of two app secrets, and the simulator signs with the first', () => {
    const { hook, providerAccount } = environment({ ...ACCOUNT, CHATAPP_APP_SECRET: 'new,old' });
    expect([hook.CHATAPP_APP_SECRET, providerAccount.appSecret]).toEqual([['new', 'old'], 'new']);
  });

  it('treats empty values as unset, and the simulator then sends unsigned webhooks', () => {
    const { api, hook, providerAccount } = environment({}, [...Object.keys(ACCOUNT), 'CHATAPP_GRAPH_URL']);
    for (const name of Object.keys(ACCOUNT)) expect({ ...api, ...hook }).not.toHaveProperty(name, expect.any(String));
    expect(providerAccount.appSecret).toBe('');
    expect(api.CHATAPP_GRAPH_URL).toBe('http://127.0.0.1:3');
  });
});

describe('the config of billing-hook in the local stack', () => {
  const settingsWithout = (...emptied: string[]) =>
    billingHook.loadConfig(serviceEnvironment(options({}, emptied), 'billing-hook', surroundings));

  it('uses the secret of the simulator', () => {
    expect(settingsWithout()).toMatchObject({
      BILLING_SECRET_KEY: expect.stringMatching(/\S/),
      BILLING_WEBHOOK_SECRET: [webhookSecret(options())],
    });
  });

  it('uses the signature header of the simulator', () => {
    const given = options({ BILLING_SIGNATURE_HEADER: 'Stripe-Signature' });
    for (const each of [options(), given]) {
      const { BILLING_SIGNATURE_HEADER: name } = billingHook.loadConfig(
        serviceEnvironment(each, 'billing-hook', surroundings),
      );
      expect(signatureHeader(each)).toBe(name);
    }
    expect(signatureHeader(given)).toBe('Stripe-Signature');
  });

  it('treats empty values as unset', () => {
    expect(settingsWithout('BILLING_SECRET_KEY').BILLING_SECRET_KEY).toBeUndefined();
    expect(settingsWithout('BILLING_WEBHOOK_SECRET').BILLING_WEBHOOK_SECRET).toBeUndefined();
  });
});

describe('a service in production', () => {
  const unsafe = (name: ServiceName, loadConfig: (environment: Record<string, string>) => object) => {
    const environment = { ...serviceEnvironment(options(), name, surroundings), NODE_ENV: 'production' };
    try {
      loadConfig(environment);
      return [];
    } catch (error) {
      const lines = (error as Error).message.split('\n').slice(1);
      return lines.map((line) => line.split(':')[0]?.trim());
    }
  };
  const EVERYWHERE = ['AMQP_URL', 'PUBLIC_BASE_URL', 'REDIS_URL'];

  it.each<[ServiceName, { loadConfig: (environment: Record<string, string>) => object }, string[]]>([
    ['sms-api', smsApi, ['SMS_CARRIERS', 'PERSON_HASH_KEYS']],
    ['email-api', emailApi, ['EMAIL_TOKEN_SECRET', 'EMAIL_SECRETS_KEYS', 'PERSON_HASH_KEYS']],
    ['chatapp-api', chatappApi, ['CHATAPP_ACCESS_TOKEN', 'PERSON_HASH_KEYS']],
    ['chatapp-hook', chatappHook, ['CHATAPP_APP_SECRET', 'CHATAPP_VERIFY_TOKEN']],
    ['bot-runtime', botRuntime, ['PUBLIC_BOTS_URL', 'PERSON_HASH_KEYS']],
    [
      'account-api',
      accountApi,
      [
        'BILLING_SECRET_KEY',
        'PLATFORM_OPERATOR_TOKEN',
        'PUBLIC_BOTS_URL',
        'SECRETS_KEYS',
        'EMAIL_SECRETS_KEYS',
        'PERSON_HASH_KEYS',
      ],
    ],
    ['billing-hook', billingHook, ['BILLING_SECRET_KEY', 'BILLING_WEBHOOK_SECRET']],
  ])('rejects all unsafe settings of the local stack in one message: %s', (name, { loadConfig }, own) => {
    expect(unsafe(name, loadConfig).sort()).toEqual([...EVERYWHERE, ...own].sort());
  });
});
