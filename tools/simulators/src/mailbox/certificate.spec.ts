import { X509Certificate } from 'node:crypto';
import { selfSignedCertificate } from './certificate';

describe('selfSignedCertificate', () => {
  it('is one that OpenSSL reads and that proves itself', () => {
    const certificate = new X509Certificate(selfSignedCertificate().cert);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 9 * 365 * 86_400_000);
    expect(certificate.ca).toBe(true);
  });

  it('is another one each time', () => {
    expect(selfSignedCertificate().cert).not.toBe(selfSignedCertificate().cert);
  });
});
