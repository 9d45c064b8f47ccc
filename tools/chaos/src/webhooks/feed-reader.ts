import { benchKey } from '@heliograph/bench-data';
import { callUntilAnswered } from '../call';
import { Workload } from '../workload';

const PAUSE_MS = 100;

interface Page {
  data: { id: string }[];
  next_cursor: string;
  has_more: boolean;
}

/** Reads the event feed of an organization all the time, from page to page. */
export class FeedReader extends Workload {
  /** The ids of all events, in the order in which the feed returned them. */
  readonly ids: string[] = [];
  private cursor: string | null = null;

  constructor(
    private readonly url: string,
    readonly organization: number,
  ) {
    super();
  }

  /** Reads what is stored by now. */
  async readRest(): Promise<void> {
    while ((await this.readPage()) === true);
  }

  protected async runOnce(): Promise<void> {
    if (!(await this.readPage())) await this.pause(PAUSE_MS);
  }

  /** Resolves with whether there are more events. */
  private async readPage(): Promise<boolean> {
    const after = this.cursor === null ? '' : `&after=${this.cursor}`;
    const page = await callUntilAnswered<Page>(
      {
        name: 'the event feed',
        url: `${this.url}/api/v1/events?limit=50${after}`,
        method: 'GET',
        bearerToken: benchKey(this.organization),
      },
      this,
    );
    if (!page) return false;
    this.ids.push(...page.data.map(({ id }) => id));
    this.cursor = page.next_cursor;
    return page.has_more;
  }
}
