import { randomUUID } from 'node:crypto';
import { benchKey, pick } from '@heliograph/bench-data';
import { Workload } from '../workload';
import type { Recipient } from './recipient-workload';

const LANES = 6;
const PAUSE_MS = 150;
const REPEATED_SHARE = 0.1;
const TEXT_SHARE = 0.7;

/** The template of each category that is sent by template. */
export const TEMPLATES = { utility: 'chaos_notice', marketing: 'chaos_offer' } as const;

export interface ChatAnswer {
  id: string;
  chatappMessageId: string;
}

/** Organizations that send chats through either replica: free-form text to recipients who wrote before, templates to all. */
export class SendWorkload extends Workload {
  /** By idempotency key. */
  readonly answered = new Map<string, ChatAnswer>();

  constructor(
    private readonly urls: readonly string[],
    private readonly recipients: readonly Recipient[],
  ) {
    super();
  }

  override start(): this {
    return super.start(LANES);
  }

  protected async runOnce(): Promise<void> {
    await this.send(pick(this.recipients));
    await this.pause(PAUSE_MS);
  }

  private async send(recipient: Recipient): Promise<void> {
    const idempotencyKey = randomUUID();
    const answer = await this.callAndRepeat<ChatAnswer>(
      {
        name: `chat ${idempotencyKey} to ${recipient.number}`,
        url: () => `${pick(this.urls)}/chatapp/send`,
        bearerToken: benchKey(recipient.organization),
        idempotencyKey,
        body: { to: recipient.number, ...contentFor(recipient) },
        // The provider rejected the chat, the recipient opted out, or the workspace has no credits left.
        mayRefuse: /Message undeliverable|RECIPIENT_OPTED_OUT|INSUFFICIENT_CREDITS/,
      },
      { share: REPEATED_SHARE },
    );
    if (!answer) return;
    this.answered.set(idempotencyKey, answer);
    recipient.hasReceived = true;
  }
}

function contentFor({ hasWritten }: Recipient): object {
  if (hasWritten && Math.random() < TEXT_SHARE) return { text: 'Content.' };
  const category = pick(['utility', 'marketing'] as const);
  return { type: 'template', category, template: { name: TEMPLATES[category], language: 'en_US' } };
}
