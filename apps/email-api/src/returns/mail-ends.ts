/** Small chunks are copied to blocks, so that a client that sends single octets does not occupy more memory. */
const BLOCK_BYTES = 64 * 1024;
/** 1 MiB. The report comes before the returned mail (RFC 6522), after a text that may contain images. */
const HEAD_BLOCKS = 16;
/** 256 KiB and the block that is being filled, for servers that send the report last. */
const TAIL_BLOCKS = 5;

/**
 * The beginning and the end of a returned mail. A bounce may contain the complete original, of which nothing is needed but its
 * header, so the memory of a mail of any size is limited to 1.3 MiB.
 */
export class MailEnds {
  private readonly blocks: Buffer[] = [];
  /** Octets in the last block. */
  private used = BLOCK_BYTES;
  private isCut = false;

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.used === BLOCK_BYTES) this.addBlock();
      const copied = chunk.copy(this.blocks.at(-1) ?? Buffer.alloc(0), this.used, at);
      this.used += copied;
      at += copied;
    }
  }

  /** Returns the mail. If its middle was omitted, a line break separates the ends. */
  joined(): Buffer {
    const last = this.blocks.at(-1)?.subarray(0, this.used);
    const blocks = last ? [...this.blocks.slice(0, -1), last] : [];
    if (!this.isCut) return Buffer.concat(blocks);
    return Buffer.concat([...blocks.slice(0, HEAD_BLOCKS), Buffer.from('\r\n'), ...blocks.slice(HEAD_BLOCKS)]);
  }

  private addBlock(): void {
    if (this.blocks.length >= HEAD_BLOCKS + TAIL_BLOCKS) {
      this.blocks.splice(HEAD_BLOCKS, 1);
      this.isCut = true;
    }
    this.blocks.push(Buffer.allocUnsafe(BLOCK_BYTES));
    this.used = 0;
  }
}
