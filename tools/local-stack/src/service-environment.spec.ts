import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { emailApi } from '@heliograph/email-api';
import { PlatformSimulator } from '@heliograph/simulators';
import { chatappAccount, serviceEnvironment, webhookSecret } from './service-environment';
import type { StackOptions } from './stack.config';

const surroundings = {
  databaseUrl: 'postgres://x@localhost/x',
  gatewayAddress: '127.0.0.2',
  smppPort: 1,
  smtpPort: 2525,
  graphUrl: 'http://127.0.0.1:3',
  platformAccount: new PlatformSimulator().account,
};

const options = (given: Record<string, string> = {}, emptied: string[] = []) =>
  ({ port: 8080, keyPrefix: 'msg', given, emptied: new Set(emptied) }) as unknown as StackOptions;
const settings = (given?: Record<string, string>) =>
  emailApi.loadSettings(serviceEnvironment(options(given), 'email-api', surroundings));

describe('the settings of email-api in the local stack', () => {
  it('lead to the simulator, and what comes back to a port of the stack’s own', () => {
    expect(settings()).toMatchObject({
      PORT: 8082,
      EMAIL_SMTP_URL: 'smtp://127.0.0.1:2525',
      EMAIL_SMTP_VERIFY_TLS: false,
      EMAIL_RETURN_HOST: '127.0.0.1',
      EMAIL_RETURN_PORT: 8088,
    });
  });

  it('verify the certificate of a real server', () => {
    expect(settings({ EMAIL_SMTP_URL: 'smtps://real.example' })).toMatchObject({
      EMAIL_SMTP_URL: 'smtps://real.example',
      EMAIL_SMTP_VERIFY_TLS: true,
    });
  });
});

describe('the settings of chat-app in the local stack', () => {
  const environment = (...args: Parameters<typeof options>) => {
    const platformAccount = new PlatformSimulator(chatappAccount(options(...args))).account;
    const env = serviceEnvironment(options(...args), 'chatapp-api', { ...surroundings, platformAccount });
    return { env, platformAccount, api: chatappApi.loadSettings(env), hook: chatappHook.loadSettings(env) };
  };
  const ACCOUNT = {
    CHATAPP_ACCESS_TOKEN: 'token',
    CHATAPP_PHONE_NUMBER_ID: '1',
    CHATAPP_BUSINESS_ACCOUNT_ID: '2',
    CHATAPP_APP_SECRET: 'secret',
    CHATAPP_VERIFY_TOKEN: 'word',
  };

  it('lead to the simulator, by what both know, and at no pace', () => {
    const { api, hook, env, platformAccount } = environment();
    expect(api).toMatchObject({
      PORT: 8083,
      CHATAPP_SENDING_ENABLED: true,
      CHATAPP_GRAPH_URL: 'http://127.0.0.1:3',
      CHATAPP_ACCESS_TOKEN: platformAccount.accessToken,
      CHATAPP_PHONE_NUMBER_ID: platformAccount.phoneNumberId,
      CHATAPP_BUSINESS_ACCOUNT_ID: platformAccount.businessAccountId,
      CHATAPP_PRODUCT: platformAccount.product,
      CHATAPP_MESSAGES_PER_SECOND: 0,
      CHATAPP_PAIR_BURST: 0,
    });
    expect(hook).toMatchObject({
      CHATAPP_APP_SECRET: platformAccount.appSecret,
      CHATAPP_VERIFY_TOKEN: expect.stringMatching(/\S/),
    });
    expect(accountApi.loadSettings(env).CHATAPP_PHONE_NUMBER_ID).toBe(platformAccount.phoneNumberId);
  });

  it('that are given are the simulator’s too', () => {
    const { api, hook, platformAccount } = environment({ ...ACCOUNT, CHATAPP_PRODUCT: 'other' });
    expect({ ...api, ...hook }).toMatchObject({ ...ACCOUNT, CHATAPP_PRODUCT: 'other' });
    expect(platformAccount).toMatchObject({
      ...{ accessToken: 'token', phoneNumberId: '1', businessAccountId: '2', appSecret: 'secret', product: 'other' },
    });
  });

  it('that are set to nothing are not set, and the simulator signs with nothing', () => {
    const { api, hook, platformAccount } = environment({}, [...Object.keys(ACCOUNT), 'CHATAPP_GRAPH_URL']);
    for (const name of Object.keys(ACCOUNT)) expect({ ...api, ...hook }).not.toHaveProperty(name, expect.any(String));
    expect(platformAccount.appSecret).toBe('');
    // Nothing leaves the machine by it.
    expect(api.CHATAPP_GRAPH_URL).toBe('http://127.0.0.1:3');
  });
});

describe('the settings of billing-hook in the local stack', () => {
  const settingsWithout = (...emptied: string[]) =>
    billingHook.loadSettings(serviceEnvironment(options({}, emptied), 'billing-hook', surroundings));

  it('are those that the simulator signs with', () => {
    expect(settingsWithout()).toMatchObject({
      BILLING_SECRET_KEY: expect.stringMatching(/\S/),
      BILLING_WEBHOOK_SECRET: [webhookSecret(options())],
    });
  });

  it('that are set to nothing are not set', () => {
    expect(settingsWithout('BILLING_SECRET_KEY').BILLING_SECRET_KEY).toBeUndefined();
    expect(settingsWithout('BILLING_WEBHOOK_SECRET').BILLING_WEBHOOK_SECRET).toBeUndefined();
  });
});
