import type { ChatClient, Session } from '../api/chat-client';
import type { Message } from '../api/records';

/** Reads the complete conversation page by page, and afterwards only new messages. */
export class Transcript {
  /** Cursor of the last page, which is read again for messages added to it. */
  private cursor: string | null = null;

  constructor(
    private readonly client: ChatClient,
    private readonly session: Session,
  ) {}

  /** Messages from the last page on, oldest first; the first call returns all messages. */
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
