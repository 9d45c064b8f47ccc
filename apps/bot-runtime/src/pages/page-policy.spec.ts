import { frameAncestors, pagePolicy } from './page-policy';

describe('frame-ancestors', () => {
  it('allows only its own origin when no allowed domain is valid', () => {
    expect(frameAncestors([])).toBe("'self'");
  });

  it('contains the allowed domains and the origin of the frame itself', () => {
    expect(frameAncestors(['acme.example', '*.acme.example', 'localhost:3000', 'https://acme.example'])).toBe(
      "'self' acme.example *.acme.example localhost:3000 https://acme.example",
    );
  });

  it.each([
    'acme.example; script-src *',
    "acme.example 'unsafe-inline'",
    'acme.example,evil.example',
    '*',
    'https://*',
    "'none'",
    'data:',
    'a\r\nb',
    '',
    'acme.example/path',
  ])('never contains %j', (domain) => {
    expect(frameAncestors([domain])).toBe("'self'");
  });
});

describe('the policy of a page', () => {
  it('restricts the embedding pages only if the bot has allowed domains', () => {
    expect(pagePolicy({ allowedDomains: null })).not.toContain('frame-ancestors');
    expect(pagePolicy({ allowedDomains: [] })).toContain("frame-ancestors 'self'");
    expect(pagePolicy({ allowedDomains: ['acme.example'] })).toContain("frame-ancestors 'self' acme.example");
  });

  it('blocks everything that is not listed', () => {
    const policy = pagePolicy({ allowedDomains: null });
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';");
    expect(policy).not.toMatch(/unsafe|sha256/);
  });

  it('contains the hash of an inline style', () => {
    expect(pagePolicy({ allowedDomains: null, inlineStyleHash: 'abc=' })).toContain("style-src 'self' 'sha256-abc=';");
  });
});
