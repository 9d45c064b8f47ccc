import { receiptMail } from './receipt-mail';
import { aLine, aReceipt, HOSTILE } from './receipt.fixture';

describe('receiptMail', () => {
  it('contains the details of the payment in text and HTML', () => {
    const { subject, text, html } = receiptMail(aReceipt());
    expect(subject).toBe('Your receipt from Heliograph: $29.00');
    for (const words of ['$29.00 paid', 'Acme Main', '21 November 2026', '2026-0001', 'ACME-0007', '$4.63']) {
      expect(text).toContain(words);
      expect(html).toContain(words);
    }
    expect(text).toContain('Pro plan (21 November – 21 December 2026): $24.37');
    expect(text).not.toContain('<');
    expect(html).not.toMatch(/<a /);
  });

  it('omits missing values', () => {
    const issuer = { name: 'Heliograph', address: [], supportEmail: null };
    const { text, html } = receiptMail(aReceipt({ invoiceNumber: null, tax: null, issuer, lines: [] }));
    for (const body of [text, html]) expect(body).not.toMatch(/Invoice number|Tax|Questions|null/);
  });

  it('lists twenty lines and the number of the remaining lines', () => {
    const lines = Array.from({ length: 23 }, (_, index) => aLine({ description: `Package ${index + 1}.` }));
    const { text } = receiptMail(aReceipt({ lines }));
    expect(text.match(/Package \d+\./g)).toHaveLength(20);
    expect(text).toContain('And 3 more');
  });

  it('escapes hostile text', () => {
    const { subject, text, html } = receiptMail(
      aReceipt({
        issuer: { name: HOSTILE, address: [], supportEmail: HOSTILE },
        receiptNumber: HOSTILE,
        invoiceNumber: HOSTILE,
        workspaceName: HOSTILE,
        currency: HOSTILE,
        lines: [aLine({ description: HOSTILE })],
      }),
    );
    expect(subject).not.toMatch(/[\r\n\0]/);
    expect(text).not.toMatch(/^Bcc:/m);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;)');
    for (const part of [subject, text, html])
      expect([part.isWellFormed(), part.includes('\u202e')]).toEqual([true, false]);
  });
});
