import { randomUUID } from 'node:crypto';
import { benchKey } from '@heliograph/bench-data';
import { Workload, type LoadSource } from '../workload';

const LANES = 12;
const PAUSE_MS = 80;
const REPEATED_SHARE = 0.1;

/** Clients that send SMS, each with an Idempotency-Key and until it is answered. */
export class SmsWorkload extends Workload implements LoadSource {
  /** Message ids by idempotency key. */
  readonly accepted = new Map<string, string>();
  private number = 0;

  constructor(
    private readonly url: string,
    private readonly organizations: number,
  ) {
    super();
  }

  override start(): this {
    return super.start(LANES);
  }

  summary(): string {
    return `${this.accepted.size} SMS accepted`;
  }

  protected async runOnce(): Promise<void> {
    const number = this.number++;
    const idempotencyKey = randomUUID();
    const answer = await this.callAndRepeat<{ messageId: string }>(
      {
        name: `SMS ${number}`,
        url: `${this.url}/sms/send`,
        bearerToken: benchKey(number % this.organizations),
        idempotencyKey,
        body: {
          from: 'BENCHS',
          to: `+9198${String(number).padStart(8, '0')}`,
          variables: { code: String(number) },
        },
      },
      { share: REPEATED_SHARE, compare: ({ messageId }) => messageId },
    );
    if (answer) this.accepted.set(idempotencyKey, answer.messageId);
    await this.pause(PAUSE_MS);
  }
}
