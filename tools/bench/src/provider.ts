import { ProviderSimulator } from '@heliograph/simulators';
import { CHATAPP_PHONE, CHATAPP_SECRET, CHATAPP_TEMPLATE, CHATAPP_TOKEN } from './calls/chatapp-calls';

/**
 * A chat-app provider process that delays its answers by the milliseconds in the first argument. Prints its URL, and its
 * totals on each SIGUSR2.
 */
async function main(): Promise<void> {
  const provider = new ProviderSimulator({
    phoneNumberId: CHATAPP_PHONE,
    accessToken: CHATAPP_TOKEN,
    appSecret: CHATAPP_SECRET,
    keepRequests: false,
  });
  await provider.start();
  provider.reviewTemplate(CHATAPP_TEMPLATE, { status: 'APPROVED', components: [{ type: 'BODY', text: 'Hello' }] });
  provider.behave({ delayMs: Number(process.argv[2] ?? 0) });
  console.log(JSON.stringify({ url: provider.url }));
  process.on('SIGUSR2', () => console.log(JSON.stringify(provider.totals)));
  process.once('SIGTERM', () => void provider.stop().then(() => process.exit(0)));
}

void main();
