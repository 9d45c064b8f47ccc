import { createDataSource, databaseSettings, poolOf } from '@heliograph/database';
import { LocalBus, messagingSettings, RabbitBus, type Bus } from '@heliograph/messaging';
import { loadSettings } from '@heliograph/platform';
import { environment } from './environment.config';

const USAGE = 'usage: npm run dead-letters -- list|replay <queue> [limit]    such as: list sms-api.send 20';
const silent = { info: () => undefined, warn: () => undefined };

/** Lists what consumers gave up, or gives it back to them. Needs DATABASE_URL, and AMQP_URL where there is a broker. */
async function main(): Promise<void> {
  const [command, queue, limitText = '100'] = process.argv.slice(2);
  const limit = Number(limitText);
  if ((command !== 'list' && command !== 'replay') || !queue || !Number.isInteger(limit) || limit < 1)
    throw new Error(USAGE);
  const settings = loadSettings(databaseSettings.extend(messagingSettings.shape), environment());
  const dataSource = await createDataSource(settings, 'dead-letters', []).initialize();
  const bus: Bus = settings.AMQP_URL
    ? new RabbitBus({
        url: settings.AMQP_URL,
        prefix: settings.AMQP_PREFIX,
        connectionName: 'dead-letters',
        isMandatory: () => false,
        log: silent,
      })
    : new LocalBus(poolOf(dataSource), () => false);
  // The local bus belongs to the process that consumes: starting it here would take its leases away.
  if (settings.AMQP_URL) await bus.start();
  if (command === 'list') {
    for (const letter of await bus.deadLetters(queue, limit)) console.log(JSON.stringify(letter));
  } else {
    console.log(`${await bus.replay(queue, limit)} given back to ${queue}`);
  }
  await bus.stop();
  await dataSource.destroy();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
