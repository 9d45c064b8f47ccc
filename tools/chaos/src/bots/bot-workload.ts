import { poll } from '@heliograph/harness';
import type { EventRecorder } from '../event-recorder';
import type { LoadSource } from '../workload';
import { AgentWorkload } from './agent-workload';
import { EventStreamReader } from './event-stream-reader';
import type { VisitorConversation } from './visitor-conversation';
import { VisitorWorkload } from './visitor-workload';

const VISITORS = 8;
/** Agents attend to the latest conversations of each visitor. */
const ATTENDED_PER_VISITOR = 2;
/** Time limit for a stream to deliver the last message, including a reconnection. */
const STREAM_TIMEOUT_MS = 30_000;

/** The config of bot-runtime. All visitors share one address here, so the limits per address are off. */
export const BOT_CONFIG = {
  PUBLIC_BASE_URL: 'https://api.chaos.example',
  BOT_STARTS_PER_5_MINUTES: '0',
  BOT_MESSAGES_PER_MINUTE: '0',
  BOT_MESSAGES_PER_MINUTE_PER_IP: '0',
  BOT_CHANGES_PER_MINUTE: '0',
  BOT_CHANGES_PER_MINUTE_PER_IP: '0',
  BOT_READS_PER_MINUTE: '0',
  BOT_READS_PER_MINUTE_PER_IP: '0',
  BOT_MAX_STREAMS_PER_IP: '0',
} as const;

interface BotOptions {
  /** The replicas of bot-runtime. */
  urls: readonly string[];
  databaseUrl: string;
  events: EventRecorder;
}

/** The bot load of a run: visitors, their event streams, and agents. */
export class BotWorkload implements LoadSource {
  private constructor(
    readonly urls: readonly string[],
    readonly events: EventRecorder,
    readonly visitors: readonly VisitorWorkload[],
    readonly readers: readonly EventStreamReader[],
    readonly agents: AgentWorkload,
  ) {}

  static async start({ urls, databaseUrl, events }: BotOptions): Promise<BotWorkload> {
    const readers: EventStreamReader[] = [];
    const openStream = (conversation: VisitorConversation): void =>
      void readers.push(new EventStreamReader(conversation, urls));
    const visitors = Array.from({ length: VISITORS }, () => new VisitorWorkload(urls, openStream).start());
    const latest = (): VisitorConversation[] =>
      visitors.flatMap(({ conversations }) => conversations.slice(-ATTENDED_PER_VISITOR));
    return new BotWorkload(urls, events, visitors, readers, await AgentWorkload.open(databaseUrl, latest));
  }

  get conversations(): VisitorConversation[] {
    return this.visitors.flatMap(({ conversations }) => conversations);
  }

  get retries(): number {
    return this.visitors.reduce((sum, { retries }) => sum + retries, 0);
  }

  get problems(): string[] {
    return [...this.visitors, this.agents, ...this.readers].flatMap(({ problems }) => problems);
  }

  slowDown(pauseMs: number): void {
    for (const workload of [...this.visitors, this.agents]) workload.slowDown(pauseMs);
  }

  /** The event streams remain open. */
  async stop(): Promise<void> {
    await Promise.all([...this.visitors, this.agents].map((workload) => workload.stop()));
  }

  /** Waits until every stream has delivered the last message of its conversation, or until the time-out. */
  async untilStreamsAreCurrent(lastMessages: ReadonlyMap<string, string>): Promise<void> {
    const isCurrent = ({ conversation, received, after }: EventStreamReader): boolean =>
      after === null || (received.at(-1)?.id ?? after) === lastMessages.get(conversation.id);
    await poll(() => this.readers.every(isCurrent), { timeoutMs: STREAM_TIMEOUT_MS });
  }

  async closeStreams(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.close()));
  }

  summary(): string {
    const { conversations } = this;
    const answered = conversations.flatMap(({ posts }) => posts).filter(({ outcome }) => outcome === 'answered').length;
    const received = this.readers.reduce((sum, reader) => sum + reader.received.length, 0);
    return (
      `${conversations.length} bot conversations, ${answered} turns answered, ${this.agents.takeOvers} taken over, ` +
      `${received} messages on ${this.readers.length} event streams`
    );
  }
}
