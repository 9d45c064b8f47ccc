import { ASSETS } from '@heliograph/api-reference';
import { encodeBody, type EncodedBody } from '../encoded/encode-body';

const encoded = new Map<string, Promise<EncodedBody>>();

/** A file of the reference, compressed once; undefined if there is no file of this name. */
export function referenceAsset(name: string): { contentType: string; codings: Promise<EncodedBody> } | undefined {
  const asset = ASSETS.get(name);
  if (!asset) return undefined;
  const codings = encoded.get(name) ?? encodeBody(Buffer.from(asset.text));
  encoded.set(name, codings);
  return { contentType: asset.contentType, codings };
}
