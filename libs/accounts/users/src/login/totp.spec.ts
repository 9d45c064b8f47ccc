import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, totpStep, totpUri } from './totp';

/** From RFC 6238, appendix B: the ASCII text 12345678901234567890. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a TOTP code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %d equals the value in RFC 6238, appendix B', (seconds, code) => {
    expect(totpStep(SECRET, code, 0, seconds * 1_000)).toBe(Math.floor(seconds / 30));
  });

  it('is valid in its own step and in the previous and the next step', () => {
    const step = Math.floor(1_111_111_111 / 30);
    const at = (steps: number) => totpStep(SECRET, '050471', 0, (1_111_111_111 + 30 * steps) * 1_000);
    expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, step, step, step, null]);
  });

  it('is rejected if it or a newer code was used', () => {
    const step = Math.floor(1_111_111_111 / 30);
    const after = (lastStep: number) => totpStep(SECRET, '050471', lastStep, 1_111_111_111_000);
    expect([step - 1, step, step + 1].map(after)).toEqual([step, null, null]);
  });

  it.each(['', '50471', '0504711', ' 050471', '05047a', '٠٥٠٤٧١', '-50471', '0504.1'])('is not valid as %j', (code) => {
    expect(totpStep(SECRET, code, 0, 1_111_111_111_000)).toBeNull();
  });

  it('has a random secret of 160 bits', () => {
    const secrets = Array.from({ length: 20 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(20);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('is enrolled with a URI that contains the user and the issuer', () => {
    const uri = new URL(totpUri(SECRET, 'Acme & Co', 'ann+x@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(uri.searchParams.get('secret')).toBe(SECRET);
    expect(uri.searchParams.get('issuer')).toBe('Acme & Co');
    expect(decodeURIComponent(uri.pathname)).toContain('ann+x@example.com');
  });
});

describe('a recovery code', () => {
  it('is one of ten different codes that are easy to read', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){2}$/);
  });

  it('ignores case, spaces and hyphens', () => {
    const hash = hashRecoveryCode('k7mp-3xq9-w2hd');
    expect(hash).toHaveLength(32);
    for (const code of ['K7MP3XQ9W2HD', ' k7mp 3xq9 w2hd ', 'k7mp3xq9-w2hd'])
      expect(hashRecoveryCode(code)).toEqual(hash);
    expect(hashRecoveryCode('k7mp-3xq9-w2he')).not.toEqual(hash);
  });

  it.each(['', '123456', 'k7mp-3xq9-w2h', 'k7mp-3xq9-w2hdd', 'k7mp-3xq9-w2h_', 'é7mp-3xq9-w2hd'])(
    'is not valid as %j',
    (code) => {
      expect(hashRecoveryCode(code)).toBeNull();
    },
  );
});
