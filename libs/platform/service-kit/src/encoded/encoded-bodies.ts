import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { encodeBody, type EncodedBody } from './encode-body';

const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Nearly the smallest size at a hundredth of the time: anybody can request a page that is not in the cache. */
const BROTLI_QUALITY = 5;

/** Compressed bodies of pages, recomputed when they change. */
@Injectable()
export class EncodedBodies {
  private readonly encoded = new LRUCache<string, Promise<EncodedBody>>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, body) => body.length + 1,
  });

  encode(body: string): Promise<EncodedBody> {
    const known = this.encoded.get(body);
    if (known) return known;
    const made = encodeBody(Buffer.from(body), { brotliQuality: BROTLI_QUALITY });
    this.encoded.set(body, made);
    return made;
  }
}
