import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { readPdf } from './pdf-text.fixture';
import { renderReceipt } from './render-receipt';
import { aLine, aReceipt, HOSTILE } from './receipt.fixture';

const read = async (receipt = aReceipt()) => readPdf(await renderReceipt(receipt));
const sorted = (word: string) => Array.from(word).sort().join('');
/** Joins wrapped lines; a line break may replace a space between words. */
const wordsOf = (text: string) => text.replaceAll(/[\s\u00a0]+/g, ' ');

describe('renderReceipt', () => {
  it('shows the issuer, the customer, the date, the amounts and the lines', async () => {
    const { pages } = await read();
    expect(pages).toHaveLength(1);
    const text = wordsOf(pages[0]!);
    for (const words of [
      'Receipt',
      'Heliograph',
      '12 Signal Street',
      'billing@heliograph.example',
      'Bill to Ada Lovelace 1 Analytical Way London ada@acme.example',
      'Invoice number ACME-0007',
      'Receipt number 2026-0001',
      'Date paid 21 November 2026',
      'Workspace Acme Main',
      '$29.00 paid on 21 November 2026',
      'Pro plan',
      '21 November – 21 December 2026',
      'Subtotal $24.37 Tax $4.63 Total $29.00 Amount paid $29.00',
      'Page 1 of 1',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('omits missing values', async () => {
    const { pages } = await read(
      aReceipt({
        invoiceNumber: null,
        tax: null,
        customer: { name: null, email: null, address: [] },
        issuer: { name: 'Heliograph', address: [], supportEmail: null },
        lines: [aLine({ quantity: null, unitAmount: null, periodStart: null })],
      }),
    );
    expect(pages[0]).not.toMatch(/Invoice number|Tax|Questions|null|21 November –/);
  });

  it.each([
    ['inr', '₹29.00'],
    ['jpy', '¥2,900'],
    ['kwd', 'KWD 2.900'],
  ])('formats %s with its symbol and its decimals', async (currency, shown) => {
    expect(wordsOf((await read(aReceipt({ currency }))).pages[0]!)).toContain(`${shown} paid on`);
  });

  it('continues on further pages, with a heading and a page number on each, and shows every line once', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => aLine({ description: `Package ${index + 1}.` }));
    const { pages } = await read(aReceipt({ lines }));
    expect(pages.length).toBeGreaterThan(2);
    pages.forEach((page, index) => {
      expect(page).toContain('Description');
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
      expect(page).toContain('2026-0001 · $29.00');
    });
    const shown = [...pages.join('').matchAll(/Package (\d+)\./g)].map(([, number]) => Number(number));
    expect(shown).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(pages.filter((page) => page.includes('Amount paid'))).toEqual([pages.at(-1)]);
  });

  it('keeps the totals together and above the footer for any number of lines', async () => {
    const counts = [];
    for (let count = 4; count <= 16; count++) {
      const { pages } = await read(aReceipt({ lines: Array.from({ length: count }, () => aLine()) }));
      const totals = 'Subtotal $24.37 Tax $4.63 Total $29.00 Amount paid $29.00 2026-0001';
      expect(wordsOf(pages.at(-1)!)).toContain(totals);
      counts.push(pages.length);
    }
    expect(new Set(counts)).toEqual(new Set([1, 2]));
  });

  it('wraps a long description, and truncates an excessively long one', async () => {
    const description = 'many words that go on and on '.repeat(12).trim();
    expect(wordsOf((await read(aReceipt({ lines: [aLine({ description })] }))).pages[0]!)).toContain(description);
    const { pages } = await read(aReceipt({ lines: [aLine({ description: 'W'.repeat(100_000) })] }));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('W…');
  });

  it('renders names in many scripts, including right-to-left text in the correct order', async () => {
    const names = ['Żółć Ünïçødé', 'Ακρόπολις', 'Жуковский', 'ქართული'];
    const { pages } = await read(aReceipt({ customer: { name: 'x', email: null, address: names } }));
    for (const name of names) expect(wordsOf(pages[0]!)).toContain(name);
    const hebrew = await read(aReceipt({ customer: { name: 'אב גד Acme', email: null, address: [] } }));
    // The characters are in drawing order, from left to right; spaces are moves of the cursor.
    expect(hebrew.pages[0]).toContain('דגבאAcme');
  });

  it('renders Devanagari together with other scripts, with a font that contains it', async () => {
    const address = ['मकान 12, सेक्टर 7 (Noida) उ॰प्र॰ 201301', 'नमस्ते। ₹5', 'ॐ Żółć'];
    const { pages, fonts } = await read(aReceipt({ customer: { name: 'आदित्य शर्मा', email: null, address } }));
    for (const line of ['आदित्य शर्मा', ...address]) {
      // The characters are in drawing order, which can differ from the spelling.
      const spelled = wordsOf(line).split(' ').map(sorted);
      const drawn = wordsOf(pages[0]!).split(' ').map(sorted);
      expect(drawn).toEqual(expect.arrayContaining(spelled));
    }
    expect(fonts.some((font) => font.includes('NotoSansDevanagari'))).toBe(true);
    expect((await read()).fonts.some((font) => font.includes('Devanagari'))).toBe(false);
  });

  it('wraps Devanagari completely, including a word that is wider than its column', async () => {
    const words = Array.from({ length: 30 }, (_, index) => `शब्द${index}x`);
    const description = `${words.join(' ')} ${'क'.repeat(120)}`;
    const { pages } = await read(aReceipt({ lines: [aLine({ description })] }));
    const text = wordsOf(pages[0]!);
    for (const [index] of words.entries()) expect(text.replaceAll(' ', '')).toContain(`${index}x`);
    expect(text.match(/क/g)).toHaveLength(120);
  });

  it('omits a name without glyphs in any font if the email address identifies the customer', async () => {
    const customer = { name: 'தமிழ்', email: 'aditya@acme.example', address: ['山田'] };
    expect(wordsOf((await read(aReceipt({ customer }))).pages[0]!)).toContain('Bill to aditya@acme.example $29.00');
  });

  it('has a title, an author, and the date of the payment as its creation date', async () => {
    const { info } = await read();
    expect(info).toMatchObject({
      Title: 'Receipt 2026-0001',
      Author: 'Heliograph',
      CreationDate: 'D:20261121233000Z',
    });
  });

  it('returns the same bytes for the same receipt', async () => {
    const one = await renderReceipt(aReceipt());
    const two = await renderReceipt(aReceipt());
    expect(one.equals(two)).toBe(true);
    expect((await renderReceipt(aReceipt({ receiptNumber: '2026-0002' }))).equals(one)).toBe(false);
  });

  it('escapes hostile text in every field', async () => {
    const receipt = aReceipt({
      issuer: { name: HOSTILE, address: [HOSTILE], supportEmail: HOSTILE },
      receiptNumber: HOSTILE,
      invoiceNumber: HOSTILE,
      currency: HOSTILE,
      workspaceName: HOSTILE,
      customer: { name: HOSTILE, email: HOSTILE, address: [HOSTILE] },
      lines: [aLine({ description: HOSTILE })],
    });
    const { pages, info } = await read(receipt);
    expect(wordsOf(pages[0]!)).toContain('<img src=x onerror=alert(1)>"\'&) /Type \\( Bcc: x@y.example');
    expect(Object.keys(info).sort()).toEqual(['Author', 'CreationDate', 'Creator', 'ModDate', 'Producer', 'Title']);
  });

  it('renders any text and any amount', async () => {
    const text = fc.string({ unit: anyCodePoint, maxLength: 80 });
    const amount = fc.maxSafeInteger();
    await fc.assert(
      fc.asyncProperty(text, text, text, amount, async (name, description, currency, value) => {
        const pdf = await renderReceipt(
          aReceipt({
            currency,
            workspaceName: name,
            amountPaid: value,
            customer: { name, email: name, address: [description] },
            lines: [aLine({ description, amount: value, unitAmount: value, quantity: value })],
          }),
        );
        expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
        expect(pdf.subarray(-6).toString()).toContain('%%EOF');
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
