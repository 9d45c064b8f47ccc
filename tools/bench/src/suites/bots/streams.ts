import { setTimeout as delay } from 'node:timers/promises';
import { botEntities, sayAsAgent } from '@heliograph/bot-conversations';
import { cpuOfCommand, ToolProcess, withSeedConnection } from '@heliograph/harness';
import { benchConversation } from '../../calls/bot-calls';
import { percentile } from '../../latencies';
import type { StreamsOrder, StreamsReport } from '../../stream-readers';

const REPLIED_SHARE = 0.01;
const IDLE_MS = 20_000;
const REPLYING_MS = 40_000;
const SETTLE_MS = 3_000;
/** The interval of the agents' replies over all conversations. */
const REPLY_INTERVAL_MS = 100;

export interface Streams {
  streams: number;
  /** Resident memory of one stream in kB, before and after the replies. */
  kilobytes: number;
  kilobytesLater: number;
  /** The time from before the storage of an agent's reply to its arrival. */
  p50Ms: number;
  p99Ms: number;
  replies: number;
  /** The share of one processor that is used while the streams are idle. */
  idleShare: number;
  idlePostgresShare: number;
  violations: string[];
}

/** Opens event streams to one process, leaves them idle, then has agents reply in one of a hundred conversations. */
export async function measureStreams(databaseUrl: string, port: number, server: ToolProcess, streams: number) {
  const before = server.memoryMb();
  const order: StreamsOrder = { port, streams };
  const readers = new ToolProcess('readers', 'stream-readers', {}, [JSON.stringify(order)]);
  const { open } = await readers.nextJson<{ open: number }>(120_000);
  await delay(SETTLE_MS);
  const connected = server.memoryMb();
  const cpu = server.cpuSeconds();
  const postgres = cpuOfCommand('postgres');
  await delay(IDLE_MS);
  const idleShare = (server.cpuSeconds() - cpu) / (IDLE_MS / 1000);
  const idlePostgresShare = (cpuOfCommand('postgres') - postgres) / (IDLE_MS / 1000);
  const sent = await reply(databaseUrl, Math.ceil(streams * REPLIED_SHARE));
  await delay(SETTLE_MS);
  const later = server.memoryMb();
  readers.signal('SIGUSR2');
  const report = await readers.nextJson<StreamsReport>();
  await readers.stop();

  const latencies = [...sent].flatMap(([id, sentAt]) => {
    const arrivedAt = report.arrivals[id];
    return arrivedAt === undefined ? [] : Number(BigInt(arrivedAt) - sentAt) / 1e6;
  });
  const checks: [boolean, string][] = [
    [open !== streams || report.broken > 0, `${open} of ${streams} streams opened, ${report.broken} broke`],
    [latencies.length !== sent.size, `${latencies.length} of ${sent.size} replies arrived`],
    [report.repeated > 0, `${report.repeated} messages arrived twice`],
  ];
  return {
    streams,
    kilobytes: ((connected - before) * 1024) / streams,
    kilobytesLater: ((later - before) * 1024) / streams,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    replies: sent.size,
    idleShare,
    idlePostgresShare,
    violations: checks.filter(([isViolated]) => isViolated).map(([, violation]) => violation),
  } satisfies Streams;
}

/** Resolves with the time just before the storage of each reply, by message id. */
function reply(databaseUrl: string, conversations: number): Promise<Map<string, bigint>> {
  return withSeedConnection(databaseUrl, botEntities, async (dataSource) => {
    const sent = new Map<string, bigint>();
    for (let number = 0; number < REPLYING_MS / REPLY_INTERVAL_MS; number++) {
      const { id: conversationId } = benchConversation(number % conversations);
      const sentAt = process.hrtime.bigint();
      const content = `I have looked into it: number ${number} is on its way to you.`;
      const { id } = await dataSource.transaction((transaction) =>
        sayAsAgent(transaction, { conversationId, correlationId: null }, { content, agentName: 'Ada' }),
      );
      sent.set(id, sentAt);
      await delay(REPLY_INTERVAL_MS);
    }
    return sent;
  });
}
