const MAX_BYTES = 240;
const DEFAULT_NAME = 'file';
/**
 * Control characters, line separators, invisible characters and bidirectional controls. Joiners are allowed, because
 * words and emoji require them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Characters that some file systems reserve. */
const RESERVED = /[<>:"|?*]/g;
const EXTENSION = /\.[^.\s]{1,16}$/u;

/** A safe form of an uploaded file's name: without a path or invisible characters, at most 240 bytes of UTF-8. */
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

/** Shortens the name in the middle, because the extension at the end identifies the type. */
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

/** A Content-Disposition header (RFC 6266) that makes a browser save the file under its name. */
export function attachmentOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
