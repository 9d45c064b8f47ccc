import { benchKey } from '@heliograph/bench-data';
import { ToolProcess } from '@heliograph/harness';
import { uploadContacts } from '../../../import-contacts';
import type { StreamsOrder } from '../../../stream-readers';
import { seedBot, seedSmallBot } from '../../bots/seed';
import type { NeighboursCase } from '../neighbours-case';
import { countedBy, countWork, startCalls, untilAdmitted, type Noise } from '../noise';
import { botTurn, contactImport } from '../operations-of-b';
import { QUIET_BOT } from '../seed-neighbours';
import type { Stack } from '../stack';

const IMPORTS = 5;
const IMPORT_ROWS = 50_000;
const VISITORS = 200;
const STREAMS = 5_000;
/** All rows at once saturate the machine while the streams are opened. */
const STREAMS_TIMEOUT_MS = 180_000;

export const RUNNER_CASES: readonly NeighboursCase[] = [
  {
    row: 6,
    noise: `${IMPORTS} imports of ${IMPORT_ROWS} rows`,
    unit: 'rows',
    services: ['account-api', 'account-worker'],
    start: async (stack) => {
      const [port = 0] = stack.portsOf('account-api');
      for (let index = 0; index < IMPORTS; index++) {
        const file = { rows: IMPORT_ROWS, first: index * IMPORT_ROWS };
        await untilAdmitted(() => uploadContacts(port, benchKey(0), file));
      }
      return countWork(stack, 'SELECT count(*) FROM contacts.contacts WHERE organization_id = $1');
    },
    operations: (stack) => [contactImport(stack)],
  },
  {
    row: 11,
    noise: `a bot with 10,000 paragraphs, ${VISITORS} visitors at once, ${STREAMS} event streams`,
    unit: 'turns',
    services: ['bot-runtime'],
    prepare: async (stack) => {
      await seedBot(stack.database.url, STREAMS);
      await seedSmallBot(stack.database.url, QUIET_BOT);
    },
    start: async (stack) => {
      const streams = await openStreams(stack);
      const visitors = await startCalls(stack, {
        service: 'bot-runtime',
        kind: 'botMessages',
        population: STREAMS,
        connections: VISITORS,
      });
      return countedBy(visitors, streams);
    },
    operations: (stack) => [botTurn(stack)],
  },
];

async function openStreams(stack: Stack): Promise<Noise> {
  const [port = 0] = stack.portsOf('bot-runtime');
  const order: StreamsOrder = { port, streams: STREAMS };
  const readers = new ToolProcess('readers', 'stream-readers', {}, [JSON.stringify(order)]);
  await readers.nextJson(STREAMS_TIMEOUT_MS);
  return { done: () => Promise.resolve(0), stop: async () => void (await readers.stop('SIGKILL')) };
}
