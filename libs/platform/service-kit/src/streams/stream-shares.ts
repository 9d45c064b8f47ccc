export interface SharedStream {
  /** Whether the server has ended the stream, and waits for the connection to close. */
  readonly isEnding: boolean;
}

/**
 * The open event streams by organization. When all streams of the process are in use, an organization with less than an equal share
 * gets the place of the oldest stream of the organization with the most.
 */
export class StreamShares<Stream extends SharedStream> {
  private readonly byOrganization = new Map<string, Set<Stream>>();

  add(organizationId: string, stream: Stream): void {
    const streams = this.byOrganization.get(organizationId) ?? new Set();
    this.byOrganization.set(organizationId, streams.add(stream));
  }

  delete(organizationId: string, stream: Stream): void {
    const streams = this.byOrganization.get(organizationId);
    streams?.delete(stream);
    if (streams?.size === 0) this.byOrganization.delete(organizationId);
  }

  /** Whether the organization has less than an equal share of `most` streams, with itself among the organizations. */
  isBelowShare(organizationId: string, most: number): boolean {
    const own = this.byOrganization.get(organizationId)?.size ?? 0;
    const organizations = this.byOrganization.size + (own === 0 ? 1 : 0);
    return own < Math.floor(most / organizations);
  }

  /** The oldest stream of the organization with the most streams that are not ending. */
  oldestOfLargest(): Stream | undefined {
    let largest: Stream[] = [];
    for (const streams of this.byOrganization.values()) {
      if (streams.size <= largest.length) continue;
      const open = [...streams].filter(({ isEnding }) => !isEnding);
      if (open.length > largest.length) largest = open;
    }
    return largest[0];
  }
}
