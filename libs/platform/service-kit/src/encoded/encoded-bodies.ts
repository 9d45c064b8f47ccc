import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { encodeBody, type EncodedBody } from './encode-body';

const MAX_CHARACTERS = 16 * 1024 * 1024;
/**
 * Almost the smallest size in a hundredth of the time. Compression must be cheap, because clients can request pages
 * that are not cached.
 */
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
