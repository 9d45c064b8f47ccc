import { setTimeout as delay } from 'node:timers/promises';
import type { EventEar } from '../chats/event-ear';
import { Agents } from './agents';
import { ChatReader } from './chat-reader';
import type { Chat } from './chat-records';
import { Visitor } from './visitor';

const VISITORS = 12;
/** Of the conversations of a visitor, the latest are looked after by people. */
const ATTENDED_OF_EACH = 2;
/** How long a stream may take to tell of the last message, reconnecting included. */
const PATIENCE_MS = 30_000;

/** Of the runtime: visitors share an address here. */
export const BOT_SETTINGS = {
  PUBLIC_BASE_URL: 'https://api.chaos.example',
  BOT_STARTS_PER_5_MINUTES: '0',
  BOT_MESSAGES_PER_MINUTE: '0',
  BOT_MESSAGES_PER_MINUTE_PER_IP: '0',
} as const;

interface BotParts {
  /** Where conversations are taken. */
  urls: readonly string[];
  databaseUrl: string;
  ear: EventEar;
}

/** Everybody in a run who has to do with bots: visitors, their open tabs, and the people of the inbox. */
export class Bots {
  private constructor(
    readonly urls: readonly string[],
    readonly ear: EventEar,
    readonly visitors: readonly Visitor[],
    readonly readers: readonly ChatReader[],
    readonly agents: Agents,
  ) {}

  static async begin({ urls, databaseUrl, ear }: BotParts): Promise<Bots> {
    const readers: ChatReader[] = [];
    const listen = (chat: Chat): void => void readers.push(new ChatReader(chat, urls));
    const visitors = Array.from({ length: VISITORS }, () => new Visitor(urls, listen));
    const latest = (): Chat[] => visitors.flatMap(({ chats }) => chats.slice(-ATTENDED_OF_EACH));
    return new Bots(urls, ear, visitors, readers, await Agents.begin(databaseUrl, latest));
  }

  /** Of all visitors, in the order of their starts within each. */
  get chats(): Chat[] {
    return this.visitors.flatMap(({ chats }) => chats);
  }

  get retries(): number {
    return this.visitors.reduce((sum, { retries }) => sum + retries, 0);
  }

  get problems(): string[] {
    return [...this.visitors, this.agents, ...this.readers].flatMap(({ problems }) => problems);
  }

  /** Nothing new; resolves when all that was begun is answered. The tabs stay open. */
  async stop(): Promise<void> {
    await Promise.all([...this.visitors, this.agents].map((one) => one.stop()));
  }

  /** Waits until every tab has been told of the last message of its conversation, or the time is up. */
  async untilTold(lastMessages: ReadonlyMap<string, string>): Promise<void> {
    const isBehind = ({ chat, told, after }: ChatReader): boolean =>
      after !== null && (told.at(-1)?.id ?? after) !== lastMessages.get(chat.id);
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(50)) {
      if (!this.readers.some(isBehind)) return;
    }
  }

  /** Closes the tabs. */
  async close(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.close()));
  }

  /** One line for those who watch. */
  toString(): string {
    const posts = this.chats.flatMap(({ posts: all }) => all);
    const answered = posts.filter(({ outcome }) => outcome === 'answered').length;
    const told = this.readers.reduce((sum, reader) => sum + reader.told.length, 0);
    return (
      `${this.chats.length} conversations with bots, ${answered} turns answered, ${this.agents.takeOvers} taken over, ` +
      `${told} messages told on ${this.readers.length} streams`
    );
  }
}
