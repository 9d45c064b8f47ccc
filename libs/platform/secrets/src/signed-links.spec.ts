import { SignedLinks } from './signed-links';

const NOW = 1_800_000_000_000;

describe('SignedLinks', () => {
  const links = new SignedLinks(['token'], 'file', 300);
  const proof = links.sign('media', 'organization', NOW);

  it('accepts a link for its file and organization until the link expires', () => {
    expect(proof.expires).toBe(String(NOW / 1_000 + 300));
    expect(links.holds('media', ['other', 'organization'], proof, NOW)).toBe(true);
    expect(links.holds('media', ['organization'], proof, NOW + 299_000)).toBe(true);
    expect(links.holds('media', ['organization'], proof, NOW + 300_000)).toBe(false);
  });

  it('rejects a link for any other file, organization or token', () => {
    expect(links.holds('medib', ['organization'], proof, NOW)).toBe(false);
    expect(links.holds('media', ['other'], proof, NOW)).toBe(false);
    expect(links.holds('media', [], proof, NOW)).toBe(false);
    expect(new SignedLinks(['another token'], 'file', 300).holds('media', ['organization'], proof, NOW)).toBe(false);
    expect(new SignedLinks(['token'], 'report', 300).holds('media', ['organization'], proof, NOW)).toBe(false);
  });

  it('accepts links of earlier secrets, and signs with the first secret', () => {
    const rotated = new SignedLinks(['newer', 'token'], 'file', 300);
    expect(rotated.holds('media', ['organization'], proof, NOW)).toBe(true);
    expect(links.holds('media', ['organization'], rotated.sign('media', 'organization', NOW), NOW)).toBe(false);
  });

  it.each([
    { expires: String(Number(proof.expires) + 1) },
    { expires: '' },
    { expires: '1e12' },
    { expires: `${proof.expires} ` },
    { signature: '' },
    { signature: proof.signature.toUpperCase() },
    { signature: proof.signature.slice(2) },
    { signature: `${proof.signature}00` },
    { signature: 'é'.repeat(64) },
  ])('rejects a modified link: %j', (change) => {
    expect(links.holds('media', ['organization'], { ...proof, ...change }, NOW)).toBe(false);
  });
});
