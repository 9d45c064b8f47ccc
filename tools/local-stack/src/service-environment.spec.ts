import { emailApi } from '@heliograph/email-api';
import { serviceEnvironment } from './service-environment';
import type { StackOptions } from './stack.config';

const surroundings = {
  databaseUrl: 'postgres://x@localhost/x',
  gatewayAddress: '127.0.0.2',
  smppPort: 1,
  smtpPort: 2525,
};

const settings = (given: Record<string, string> = {}) =>
  emailApi.loadSettings(
    serviceEnvironment({ port: 8080, keyPrefix: 'msg', given } as StackOptions, 'email-api', surroundings),
  );

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
