import { CarrierSimulator, MailboxSimulator, ProviderSimulator } from '@heliograph/simulators';
import type { RehearsalContext } from '../rehearsal';
import { APP_SECRET, GATEWAY_PORT, type Upstreams } from './deployment';
import type { DockerEngine } from './docker-engine';

/** The simulated upstreams, on an address that containers can reach. */
export class Simulators implements Upstreams {
  readonly carrier: CarrierSimulator;
  readonly mailbox: MailboxSimulator;
  readonly provider: ProviderSimulator;

  private constructor({ hostAddress: host, publishedAddress }: DockerEngine) {
    this.carrier = new CarrierSimulator({ host });
    this.mailbox = new MailboxSimulator({ host });
    this.provider = new ProviderSimulator({
      host,
      accessToken: 'token-of-the-rehearsal',
      phoneNumberId: '106540352242922',
      businessAccountId: '102290129340398',
      product: 'chatapp',
      appSecret: APP_SECRET,
      hookUrl: `http://${publishedAddress}:${GATEWAY_PORT}/api/chatapp/webhook`,
    });
  }

  static async start(context: RehearsalContext, engine: DockerEngine): Promise<Simulators> {
    const simulators = new Simulators(engine);
    const { carrier, mailbox, provider } = simulators;
    await Promise.all([carrier.start(), mailbox.start(), provider.start()]);
    context.onEnd(async () => {
      await Promise.all([carrier.stop(), mailbox.stop(), provider.stop()]);
    });
    return simulators;
  }

  get smppPort(): number {
    return this.carrier.smppPort;
  }

  get smtpPort(): number {
    return this.mailbox.smtpPort;
  }

  get providerPort(): number {
    return Number(new URL(this.provider.url).port);
  }
}
