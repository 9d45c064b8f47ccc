import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The content codings of a stored body. */
export type ContentCoding = 'br' | 'gzip' | 'identity';

/** For each coding: the bytes, and a separate strong ETag (RFC 9110, section 8.8.3.3). */
export type EncodedBody = Record<ContentCoding, { body: Buffer; etag: string }>;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * Encodes a body in every coding. `brotliQuality` is 0 to 11. The default, 11, gives the smallest size but is slow; it
 * suits bodies that are compressed once and sent often.
 */
export async function encodeBody(
  identity: Buffer,
  { brotliQuality = constants.BROTLI_MAX_QUALITY } = {},
): Promise<EncodedBody> {
  const [br, zipped] = await Promise.all([
    toBrotli(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
    toGzip(identity, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return {
    br: { body: br, etag: `"${hash}-br"` },
    gzip: { body: zipped, etag: `"${hash}-gzip"` },
    identity: { body: identity, etag: `"${hash}"` },
  };
}
