import { setTimeout as delay } from 'node:timers/promises';
import { botEntities, sayAsAgent } from '@heliograph/bot-conversations';
import { createDataSource, databaseSettings } from '@heliograph/database';
import { cpuOfCommand, ToolProcess } from '@heliograph/harness';
import { benchConversation } from '../../calls/bot-calls';
import type { StreamsOrder, StreamsReport } from '../../stream-readers';

const SPOKEN_SHARE = 0.01;
const IDLE_MS = 20_000;
const SPEAKING_MS = 40_000;
const SETTLE_MS = 3_000;
/** A message of a person in each of those conversations, about every so often. */
const REPLY_GAP_MS = 100;

export interface Streams {
  streams: number;
  /** Of one stream, in kB of resident memory: once they stand, and a minute later. */
  kilobytes: number;
  kilobytesLater: number;
  /** From before a person's reply is stored to its arrival. */
  p50Ms: number;
  p99Ms: number;
  replies: number;
  /** Of one processor, while nothing happens. */
  idleShare: number;
  idlePostgresShare: number;
  broken: string[];
}

/** Opens event streams to one process, leaves them idle, then lets people reply on one in a hundred of them. */
export async function measureStreams(databaseUrl: string, port: number, server: ToolProcess, streams: number) {
  const before = server.memoryMb();
  const order: StreamsOrder = { port, streams };
  const readers = new ToolProcess('readers', 'stream-readers', {}, [JSON.stringify(order)]);
  const { open } = await readers.nextJson<{ open: number }>(120_000);
  await delay(SETTLE_MS);
  const standing = server.memoryMb();
  const [cpu, postgres] = [server.cpuSeconds(), cpuOfCommand('postgres')];
  await delay(IDLE_MS);
  const idleShare = (server.cpuSeconds() - cpu) / (IDLE_MS / 1000);
  const idlePostgresShare = (cpuOfCommand('postgres') - postgres) / (IDLE_MS / 1000);
  const said = await reply(databaseUrl, Math.ceil(streams * SPOKEN_SHARE));
  await delay(SETTLE_MS);
  const later = server.memoryMb();
  readers.signal('SIGUSR2');
  const report = await readers.nextJson<StreamsReport>();
  await readers.stop();

  const latencies: number[] = [];
  for (const [id, at] of said) {
    const arrived = report.arrivals[id];
    if (arrived !== undefined) latencies.push(Number(BigInt(arrived) - at) / 1e6);
  }
  latencies.sort((one, other) => one - other);
  const share = (of: number): number => latencies[Math.floor(latencies.length * of)] ?? NaN;
  const found: [boolean, string][] = [
    [open !== streams || report.broken > 0, `${open} of ${streams} streams opened, ${report.broken} broke`],
    [latencies.length !== said.size, `${latencies.length} of ${said.size} replies arrived`],
    [report.repeated > 0, `${report.repeated} messages came twice`],
  ];
  return {
    streams,
    kilobytes: ((standing - before) * 1024) / streams,
    kilobytesLater: ((later - before) * 1024) / streams,
    ...{ p50Ms: share(0.5), p99Ms: share(0.99), replies: said.size, idleShare, idlePostgresShare },
    broken: found.filter(([is]) => is).map(([, what]) => what),
  } satisfies Streams;
}

/** Answers when each reply was about to be stored, by its id. */
async function reply(databaseUrl: string, conversations: number): Promise<Map<string, bigint>> {
  const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 2 });
  const dataSource = await createDataSource(settings, 'bench agents', botEntities).initialize();
  const said = new Map<string, bigint>();
  for (let number = 0; number < SPEAKING_MS / REPLY_GAP_MS; number++) {
    const { id: conversationId } = benchConversation(number % conversations);
    const at = process.hrtime.bigint();
    const message = await dataSource.transaction((transaction) =>
      sayAsAgent(
        transaction,
        { conversationId, correlationId: null },
        { content: `I have looked into it: number ${number} is on its way to you.`, agentName: 'Ada' },
      ),
    );
    said.set(message.id, at);
    await delay(REPLY_GAP_MS);
  }
  await dataSource.destroy();
  return said;
}
