import { PlatformSimulator } from '@heliograph/simulators';
import { CHATAPP_PHONE, CHATAPP_SECRET, CHATAPP_TEMPLATE } from './calls/chatapp-calls';

/**
 * The chat-app platform in a process of its own, answering at once; with an argument, after so many milliseconds.
 * Prints its address, and its totals on each SIGUSR2.
 */
async function main(): Promise<void> {
  const platform = new PlatformSimulator({
    phoneNumberId: CHATAPP_PHONE,
    appSecret: CHATAPP_SECRET,
    keepRequests: false,
  });
  await platform.start();
  platform.reviewTemplate(CHATAPP_TEMPLATE, { status: 'APPROVED', components: [{ type: 'BODY', text: 'Hello' }] });
  platform.behave({ delayMs: Number(process.argv[2] ?? 0) });
  console.log(JSON.stringify({ url: platform.url }));
  process.on('SIGUSR2', () => console.log(JSON.stringify(platform.totals)));
  process.once('SIGTERM', () => void platform.stop().then(() => process.exit(0)));
}

void main();
