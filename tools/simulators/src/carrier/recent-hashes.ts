/** Maximum count, to limit the memory of long runs. */
const MAX_HASHES = 8_000_000;

/** Counts distinct pairs of texts by 53-bit hashes, without storing the texts. */
export class RecentHashes {
  private readonly seen = new Set<number>();

  get distinct(): number {
    return this.seen.size;
  }

  add(first: string, second: string): void {
    if (this.seen.size >= MAX_HASHES) return;
    const high = fnv1a(first, fnv1a(second, 0x811c9dc5)) & 0x1fffff;
    const low = fnv1a(second, fnv1a(first, 0x01000193));
    this.seen.add(high * 0x1_0000_0000 + low);
  }
}

/** FNV-1a over UTF-16 units, 32 bits. */
function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
