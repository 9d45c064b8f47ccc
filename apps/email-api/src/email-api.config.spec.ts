import { selfSignedCertificate } from '@heliograph/secrets';
import { loadEmailApiConfig } from './email-api.config';

const REQUIRED = {
  DATABASE_URL: 'postgres://localhost/x',
  EMAIL_SMTP_URL: 'smtp://localhost',
  EMAIL_TOKEN_SECRET: 'x'.repeat(16),
  EMAIL_RETURN_PATH_DOMAIN: 'returns.example.com',
  EMAIL_PLATFORM_FROM: 'no-reply@example.com',
  PUBLIC_BASE_URL: 'https://example.com',
};

describe('the certificate of the return listener', () => {
  const { cert, key } = selfSignedCertificate('returns.example.com');

  it('is set together with its key', () => {
    const config = { ...REQUIRED, EMAIL_RETURN_TLS_CERTIFICATE: cert, EMAIL_RETURN_TLS_KEY: key };
    expect(loadEmailApiConfig(config)).toMatchObject({ EMAIL_RETURN_TLS_CERTIFICATE: cert });
    expect(loadEmailApiConfig(REQUIRED)).not.toHaveProperty('EMAIL_RETURN_TLS_KEY', expect.anything());
  });

  it.each([
    [{ EMAIL_RETURN_TLS_CERTIFICATE: cert }, 'must be set together with EMAIL_RETURN_TLS_CERTIFICATE'],
    [{ EMAIL_RETURN_TLS_KEY: key }, 'must be set together with EMAIL_RETURN_TLS_CERTIFICATE'],
    [{ EMAIL_RETURN_TLS_CERTIFICATE: 'x', EMAIL_RETURN_TLS_KEY: key }, 'must be a certificate in PEM'],
    [{ EMAIL_RETURN_TLS_CERTIFICATE: cert, EMAIL_RETURN_TLS_KEY: 'x' }, 'must be a private key in PEM'],
  ])('is rejected if it is %j', (given, message) => {
    expect(() => loadEmailApiConfig({ ...REQUIRED, ...given })).toThrow(message);
  });
});
