import fc from 'fast-check';
import { readPdf } from './pdf-text.fixture';
import { renderReceipt } from './render-receipt';
import { aLine, aReceipt, HOSTILE } from './receipt.fixture';

const read = async (receipt = aReceipt()) => readPdf(await renderReceipt(receipt));
const sorted = (word: string) => Array.from(word).sort().join('');
/** Lines that were wrapped are one again; a blank between two words may have become a line. */
const wordsOf = (text: string) => text.replaceAll(/[\s\u00a0]+/g, ' ');

describe('renderReceipt', () => {
  it('says who paid whom, when, how much and what for', async () => {
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
      'Date paid November 21, 2026',
      'Workspace Acme Main',
      '$29.00 paid on November 21, 2026',
      'Pro plan',
      'Nov 21 – Dec 21, 2026',
      'Subtotal $24.37 Tax $4.63 Total $29.00 Amount paid $29.00',
      'Page 1 of 1',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('leaves out what there is not', async () => {
    const { pages } = await read(
      aReceipt({
        invoiceNumber: null,
        tax: null,
        customer: { name: null, email: null, address: [] },
        issuer: { name: 'Heliograph', address: [], supportEmail: null },
        lines: [aLine({ quantity: null, unitAmount: null, periodStart: null })],
      }),
    );
    expect(pages[0]).not.toMatch(/Invoice number|Tax|Questions|null|Nov 21 –/);
  });

  it.each([
    ['inr', '₹29.00'],
    ['jpy', '¥2,900'],
    ['kwd', 'KWD 2.900'],
  ])('shows %s with its sign and its decimals', async (currency, shown) => {
    expect(wordsOf((await read(aReceipt({ currency }))).pages[0]!)).toContain(`${shown} paid on`);
  });

  it('goes on over pages, with the heading and a number on each and every line once', async () => {
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

  it('keeps the totals together, and off the footer, however full the page is', async () => {
    const counts = [];
    for (let count = 4; count <= 16; count++) {
      const { pages } = await read(aReceipt({ lines: Array.from({ length: count }, () => aLine()) }));
      const totals = 'Subtotal $24.37 Tax $4.63 Total $29.00 Amount paid $29.00 2026-0001';
      expect(wordsOf(pages.at(-1)!)).toContain(totals);
      counts.push(pages.length);
    }
    expect(new Set(counts)).toEqual(new Set([1, 2]));
  });

  it('wraps a long description, and ends one that is endless', async () => {
    const description = 'many words that go on and on '.repeat(12).trim();
    expect(wordsOf((await read(aReceipt({ lines: [aLine({ description })] }))).pages[0]!)).toContain(description);
    const { pages } = await read(aReceipt({ lines: [aLine({ description: 'W'.repeat(100_000) })] }));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('W…');
  });

  it('sets names of many scripts, and those that run from the right in their order', async () => {
    const names = ['Żółć Ünïçødé', 'Ακρόπολις', 'Жуковский', 'ქართული'];
    const { pages } = await read(aReceipt({ customer: { name: 'x', email: null, address: names } }));
    for (const name of names) expect(wordsOf(pages[0]!)).toContain(name);
    const hebrew = await read(aReceipt({ customer: { name: 'אב גד Acme', email: null, address: [] } }));
    // From the left, as they are drawn; the blanks between them are moves.
    expect(hebrew.pages[0]).toContain('דגבאAcme');
  });

  it('sets Devanagari beside everything else, in a font that has it', async () => {
    const address = ['मकान 12, सेक्टर 7 (Noida) उ॰प्र॰ 201301', 'नमस्ते। ₹5', 'ॐ Żółć'];
    const { pages, fonts } = await read(aReceipt({ customer: { name: 'आदित्य शर्मा', email: null, address } }));
    for (const line of ['आदित्य शर्मा', ...address]) {
      // Signs stand where they are drawn, which is not always where they are spelled.
      const spelled = wordsOf(line).split(' ').map(sorted);
      const drawn = wordsOf(pages[0]!).split(' ').map(sorted);
      expect(drawn).toEqual(expect.arrayContaining(spelled));
    }
    expect(fonts.some((font) => font.includes('NotoSansDevanagari'))).toBe(true);
    expect((await read()).fonts.some((font) => font.includes('Devanagari'))).toBe(false);
  });

  it('wraps Devanagari, also a word that is wider than its column, and leaves nothing out', async () => {
    const words = Array.from({ length: 30 }, (_, index) => `शब्द${index}x`);
    const description = `${words.join(' ')} ${'क'.repeat(120)}`;
    const { pages } = await read(aReceipt({ lines: [aLine({ description })] }));
    const text = wordsOf(pages[0]!);
    for (const [index] of words.entries()) expect(text.replaceAll(' ', '')).toContain(`${index}x`);
    expect(text.match(/क/g)).toHaveLength(120);
  });

  it('leaves out a name that no font has letters for, where something else says who it is', async () => {
    const customer = { name: 'தமிழ்', email: 'aditya@acme.example', address: ['山田'] };
    expect(wordsOf((await read(aReceipt({ customer }))).pages[0]!)).toContain('Bill to aditya@acme.example $29.00');
  });

  it('has a title and an author, and was made when it was paid', async () => {
    const { info } = await read();
    expect(info).toMatchObject({
      Title: 'Receipt 2026-0001',
      Author: 'Heliograph',
      CreationDate: 'D:20261121233000Z',
    });
  });

  it('gives the same bytes for the same receipt', async () => {
    const [one, two] = [await renderReceipt(aReceipt()), await renderReceipt(aReceipt())];
    expect(one.equals(two)).toBe(true);
    expect((await renderReceipt(aReceipt({ receiptNumber: '2026-0002' }))).equals(one)).toBe(false);
  });

  it('takes hostile text for text, wherever it stands', async () => {
    const receipt = aReceipt({
      issuer: { name: HOSTILE, address: [HOSTILE], supportEmail: HOSTILE },
      ...{ receiptNumber: HOSTILE, invoiceNumber: HOSTILE, currency: HOSTILE, workspaceName: HOSTILE },
      customer: { name: HOSTILE, email: HOSTILE, address: [HOSTILE] },
      lines: [aLine({ description: HOSTILE })],
    });
    const { pages, info } = await read(receipt);
    expect(wordsOf(pages[0]!)).toContain('<img src=x onerror=alert(1)>"\'&) /Type \\( Bcc: x@y.example');
    expect(Object.keys(info).sort()).toEqual(['Author', 'CreationDate', 'Creator', 'ModDate', 'Producer', 'Title']);
  });

  it('renders any text and any amount', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    const amount = fc.maxSafeInteger();
    await fc.assert(
      fc.asyncProperty(text, text, text, amount, async (name, description, currency, value) => {
        const pdf = await renderReceipt(
          aReceipt({
            ...{ currency, workspaceName: name, amountPaid: value },
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
