import { KeyRing } from '@heliograph/secrets';
import { emailDomainConfig } from './domains.config';

const parse = (settings: Record<string, string>) => emailDomainConfig.safeParse(settings);

describe('the configuration of domains', () => {
  it('has defaults', () => {
    expect(parse({}).data).toEqual({
      EMAIL_DNS_SERVERS: [],
      EMAIL_DNS_TIMEOUT_MS: 2_000,
      EMAIL_DOMAIN_GRACE_HOURS: 72,
      EMAIL_DOMAIN_RECHECK_HOURS: 24,
      EMAIL_SECRETS_KEYS: expect.any(KeyRing),
    });
  });

  it.each([
    ['10.0.0.2', ['10.0.0.2']],
    ['10.0.0.2:5353, ::1,[::1]:53', ['10.0.0.2:5353', '::1', '[::1]:53']],
  ])('accepts the name servers %j', (text, servers) => {
    expect(parse({ EMAIL_DNS_SERVERS: text }).data?.EMAIL_DNS_SERVERS).toEqual(servers);
  });

  it.each(['dns.example.com', '10.0.0.2:99999', '10.0.0', '10.0.0.2,', '[10.0.0.2', ':53'])(
    'rejects the name servers %j',
    (text) => expect(parse({ EMAIL_DNS_SERVERS: text }).success).toBe(false),
  );

  it.each(['EMAIL_RETURN_PATH_DOMAIN', 'EMAIL_SPF_HOST'])('requires a host name as %s', (setting) => {
    expect(parse({ [setting]: 'Bounces.Example.com' }).data).toMatchObject({ [setting]: 'bounces.example.com' });
    for (const text of ['localhost', '10.0.0.2', 'https://example.com', 'a b.example']) {
      expect(parse({ [setting]: text }).success).toBe(false);
    }
  });
});
