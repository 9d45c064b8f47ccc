import type { ChatClient, Session } from '../api/chat-client';
import type { Message } from '../api/records';

/** The whole conversation, page by page; afterwards only what has come since. */
export class Transcript {
  /** Of the last page: it is read again for what has been added to it. */
  private cursor: string | null = null;

  constructor(
    private readonly client: ChatClient,
    private readonly session: Session,
  ) {}

  /** Messages from the last page read on, oldest first; the first call gives all of them. */
  async read(): Promise<Message[]> {
    const messages: Message[] = [];
    for (;;) {
      const page = await this.client.messages(this.session, this.cursor);
      messages.push(...page.messages);
      if (page.nextCursor === undefined || page.nextCursor === null) return messages;
      this.cursor = page.nextCursor;
    }
  }
}
