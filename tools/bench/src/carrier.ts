import { CarrierSimulator } from '@heliograph/simulators';

/** A carrier process that counts messages without storing them. Prints its port, and its totals on each SIGUSR2. */
async function main(): Promise<void> {
  const carrier = new CarrierSimulator({ keepMessages: false });
  await carrier.start();
  console.log(JSON.stringify({ smppPort: carrier.smppPort }));
  process.on('SIGUSR2', () => console.log(JSON.stringify(carrier.totals)));
  process.once('SIGTERM', () => void carrier.stop().then(() => process.exit(0)));
}

void main();
