type Close = () => Promise<unknown>;

/** Stops the started parts, once and in reverse order. */
export class Closers {
  private readonly closers: { name: string; close: Close }[] = [];
  private closing: Promise<void> | null = null;

  get isClosing(): boolean {
    return this.closing !== null;
  }

  /** Stops it immediately if the stack is already stopping. */
  async add(name: string, close: Close): Promise<void> {
    if (this.closing) {
      await close();
      throw new Error('The stack is stopping.');
    }
    this.closers.push({ name, close });
  }

  closeAll(): Promise<void> {
    return (this.closing ??= this.run());
  }

  private async run(): Promise<void> {
    for (const { name, close } of this.closers.reverse()) {
      try {
        await close();
      } catch (error) {
        // The remaining parts must be stopped in any case.
        console.error(`${name} did not stop cleanly:`, error);
      }
    }
  }
}
