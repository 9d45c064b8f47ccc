import { loadAccountApiConfig } from '../../account-api.config';
import { invitationMail } from './invitation-mail';
import { invitationLink, passwordResetLink } from './links';
import { passwordResetMail } from './password-reset-mail';
import { securityNotice } from './security-notice';

const AT = new Date('2026-11-20T10:12:28Z');
const HOSTILE = 'Acme</h1><script>alert(1)</script>\r\nBcc: bob@example.com';

const settings = (environment: Record<string, string>) =>
  loadAccountApiConfig({ DATABASE_URL: 'postgres://localhost/x', ...environment });

describe('the invitation email', () => {
  const mail = (organizationName: string) =>
    invitationMail({
      organizationName,
      invitedBy: 'ann@example.com',
      role: 'viewer',
      link: 'https://console.example/join/abc',
      expiresAt: AT,
    });

  it('names the inviter, the organization, the role and the expiry, and contains the link in its text and HTML parts', () => {
    const { subject, text, html } = mail('Acme');
    expect(subject).toBe('Join Acme');
    for (const part of [text, html]) {
      for (const words of [
        'Acme',
        'ann@example.com',
        'Viewer',
        '20 November 2026',
        'https://console.example/join/abc',
      ]) {
        expect(part).toContain(words);
      }
    }
  });

  it('has a one-line subject and escaped HTML for any organization name', () => {
    const { subject, html } = mail(HOSTILE);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });
});

describe('the password reset email', () => {
  it('contains the link, its expiry and the IP address of the request', () => {
    const { text } = passwordResetMail({
      link: 'https://console.example/r/abc',
      expiresAt: AT,
      ipAddress: '198.51.100.1',
    });
    for (const words of ['https://console.example/r/abc', '20 November 2026 at 10:12 UTC', '198.51.100.1']) {
      expect(text).toContain(words);
    }
  });
});

describe('a security notice', () => {
  it.each([
    ['password-changed', 'Your password was changed'],
    ['password-reset', 'Your password was reset'],
    ['mfa-enabled', 'Multi-factor authentication was enabled'],
    ['mfa-disabled', 'Multi-factor authentication was disabled'],
    ['recovery-codes-renewed', 'New recovery codes were generated'],
  ] as const)(
    'for %s names the change "%s", its time and the IP address, and escapes the user agent',
    (change, subject) => {
      const mail = securityNotice(change, { at: AT, ipAddress: '198.51.100.1', userAgent: HOSTILE });
      expect(mail.subject).toBe(subject);
      for (const words of [subject, '20 November 2026 at 10:12 UTC', '198.51.100.1'])
        expect(mail.text).toContain(words);
      expect(mail.html).not.toContain('<script>');
    },
  );

  it('contains no link, so that users do not learn to click links in such emails', () => {
    const { html } = securityNotice('mfa-disabled', { at: AT, ipAddress: null, userAgent: null });
    expect(html).not.toContain('<a ');
  });
});

describe('the link of an email', () => {
  it('uses the configured URL template', () => {
    const both = settings({
      ACCOUNT_INVITATION_URL: 'https://console.example/join?t={token}',
      ACCOUNT_PASSWORD_RESET_URL: 'https://console.example/reset/{token}',
    });
    expect(invitationLink(both, 'abc')).toBe('https://console.example/join?t=abc');
    expect(passwordResetLink(both, 'abc')).toBe('https://console.example/reset/abc');
  });

  it('leads to the public base URL of the service if no template is configured', () => {
    const base = settings({ PUBLIC_BASE_URL: 'https://api.example/' });
    expect(invitationLink(base, 'abc')).toBe('https://api.example/console/invitations/accept?token=abc');
    expect(passwordResetLink(base, 'abc')).toBe('https://api.example/console/reset-password?token=abc');
    expect(invitationLink(settings({ PORT: '8081' }), 'abc')).toBe(
      'http://localhost:8081/console/invitations/accept?token=abc',
    );
  });
});
