import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The content codings that an asset is kept in. */
export type AssetCoding = 'br' | 'gzip' | 'identity';

export interface WidgetAsset {
  /** The file's name; that of script and style carries a hash of the content. */
  name: string;
  contentType: string;
  /** Of each coding: the bytes, and a strong ETag of its own (RFC 9110, section 8.8.3.3). */
  codings: Record<AssetCoding, { body: Buffer; etag: string }>;
}

export interface WidgetAssets {
  /** What sites include. */
  loader: WidgetAsset;
  /** The chat of the frame and the hosted page. */
  script: WidgetAsset;
  style: WidgetAsset;
}

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Reads the folder that tools/build/build-widget.mjs makes, and compresses its files. Rejects where there is none. */
export async function loadWidgetAssets(directory: string): Promise<WidgetAssets> {
  const names = await readManifest(directory);
  const [loader, script, style] = await Promise.all([
    loadAsset(directory, names.loader),
    loadAsset(directory, names.script),
    loadAsset(directory, names.style),
  ]);
  return { loader, script, style };
}

async function readManifest(directory: string): Promise<Record<keyof WidgetAssets, string>> {
  const file = path.join(directory, 'manifest.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<keyof WidgetAssets, string>;
  } catch (cause) {
    throw new Error(`${file} cannot be read: make the folder with node tools/build/build-widget.mjs ${directory}`, {
      cause,
    });
  }
}

async function loadAsset(directory: string, name: string): Promise<WidgetAsset> {
  const contentType = CONTENT_TYPES[path.extname(name)];
  if (!contentType) throw new Error(`${name} is neither a script nor a stylesheet`);
  const identity = await readFile(path.join(directory, name));
  return { name, contentType, codings: await encodeAsset(identity) };
}

/**
 * A body in every coding. `brotliQuality` is 0 to 11: by default as small as it gets, which takes long, for what is
 * compressed once and sent often.
 */
export async function encodeAsset(
  identity: Buffer,
  { brotliQuality = constants.BROTLI_MAX_QUALITY } = {},
): Promise<WidgetAsset['codings']> {
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
