/** One page of a list. Iterating over it reads the entries of this page and of all that follow. */
export class Page<Entry> implements AsyncIterable<Entry> {
  constructor(
    /** The entries of this page. */
    readonly data: readonly Entry[],
    /** Cursor of the next page, or null on the last one. */
    readonly nextCursor: string | null,
    /** Whether there is another page. */
    readonly hasMore: boolean,
    private readonly readNext: (cursor: string) => Promise<Page<Entry>>,
  ) {}

  /** The next page, or null on the last one. */
  async next(): Promise<Page<Entry> | null> {
    return this.hasMore && this.nextCursor !== null ? this.readNext(this.nextCursor) : null;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Entry> {
    yield* this.data;
    for (let page = await this.next(); page; page = await page.next()) yield* page.data;
  }
}

/** A list that is being read: `await` gives its first page, `for await` all entries. */
export class PagePromise<Entry> implements PromiseLike<Page<Entry>>, AsyncIterable<Entry> {
  private first: Promise<Page<Entry>> | undefined;

  constructor(private readonly read: () => Promise<Page<Entry>>) {}

  then<Fulfilled = Page<Entry>, Rejected = never>(
    onFulfilled?: ((page: Page<Entry>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.page().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<Entry> | Rejected> {
    return this.page().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Page<Entry>> {
    return this.page().finally(onFinally);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Entry> {
    yield* await this.page();
  }

  private page(): Promise<Page<Entry>> {
    return (this.first ??= this.read());
  }
}
