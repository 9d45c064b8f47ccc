import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { attachmentOf, safeFileName } from './file-name';

describe('safeFileName', () => {
  it.each<[string, string | undefined, string]>([
    ['a plain name', 'a.txt', 'a.txt'],
    ['a path', '../../etc/passwd', 'passwd'],
    ['a Windows path', 'C:\\windows\\a.doc', 'a.doc'],
    ['a missing name', undefined, 'file'],
    ['an empty name', '', 'file'],
    ['dots', '..', 'file'],
    ['a folder', 'a/', 'file'],
    ['control characters', 'a\0\r\nb\u0085.txt', 'ab.txt'],
    ['characters that reverse the text direction', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['invisible characters', 'a\u200b\ufeff\u2028.txt', 'a.txt'],
    ['an unpaired surrogate', 'a\ud800.txt', 'a\ufffd.txt'],
    ['reserved characters', 'a<b>:"c|?*.txt', 'a_b___c___.txt'],
    ['a hidden file', '.bashrc', 'bashrc'],
    ['spaces', '  a   b . ', 'a b'],
    ['a combined emoji', '👩\u200d🚀.png', '👩\u200d🚀.png'],
    ['Hindi', 'चालान.pdf', 'चालान.pdf'],
  ])('sanitizes %s', (_, given, name) => expect(safeFileName(given)).toBe(name));

  it('limits a name to 240 bytes and keeps its extension', () => {
    const long = safeFileName(`${'é'.repeat(500)}.docx`);
    expect(long).toBe(`${'é'.repeat(117)}.docx`);
    expect(Buffer.byteLength(safeFileName('🙂'.repeat(500)))).toBe(240);
  });

  it('never returns a path, an empty name or a name that is too long, and is idempotent', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCodePoint, maxLength: 400 }), fc.string({ unit: 'grapheme' })),
        (given) => {
          const name = safeFileName(given);
          expect(name).toMatch(/^[^/\\\p{Cc}]+$/u);
          expect(name).not.toMatch(/^\.+$/);
          expect(name.isWellFormed()).toBe(true);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
          expect(safeFileName(name)).toBe(name);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a Content-Disposition', () => {
  it('contains the name in ASCII for old clients and in UTF-8', () => {
    expect(attachmentOf("chälan (1)'*.pdf")).toBe(
      `attachment; filename="ch_lan (1)'*.pdf"; filename*=UTF-8''ch%C3%A4lan%20%281%29%27%2A.pdf`,
    );
  });

  it('is a single header value for every name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (given) => {
        expect(attachmentOf(safeFileName(given))).toMatch(
          /^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\w%!#$&+.^`|~-]+$/,
        );
      }),
    );
  });
});
