const MAX_BYTES = 240;
const DEFAULT_NAME = 'file';
/** Control characters, line separators, and what is not seen and turns text around; joiners belong to words and emoji. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Reserved in the file systems of some. */
const RESERVED = /[<>:"|?*]/g;
const EXTENSION = /\.[^.\s]{1,16}$/u;

/** What may be kept of the name that a file was sent under: no path, nothing unseen, at most 240 bytes of UTF-8. */
export function safeFileName(given: string | undefined): string {
  const last = (given ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const name = last
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(RESERVED, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  return shorten(name) || DEFAULT_NAME;
}

/** The end tells what it is, so the middle goes. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  let room = MAX_BYTES - Buffer.byteLength(extension);
  let stem = '';
  for (const character of name.slice(0, name.length - extension.length)) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return stem.trimEnd() + extension;
}

/** A Content-Disposition (RFC 6266) that makes a browser store the file under its name. */
export function attachmentOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
