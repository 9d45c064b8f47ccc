type Close = () => Promise<unknown>;

/** What has been started, to be ended in the opposite order, once. */
export class Closers {
  private readonly closers: { name: string; close: Close }[] = [];
  private closing: Promise<void> | null = null;

  get isClosing(): boolean {
    return this.closing !== null;
  }

  /** Ends it at once when everything else is being ended already. */
  async add(name: string, close: Close): Promise<void> {
    if (this.closing) {
      await close();
      throw new Error('The stack is being ended.');
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
        // The others must end all the same.
        console.error(`${name} did not end cleanly:`, error);
      }
    }
  }
}
