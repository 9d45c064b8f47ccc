import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

/** How the receiver responds. */
export const inboxBehaviourSchema = z.strictObject({
  status: z.int().min(200).max(599).default(200),
  delayMs: z.int().min(0).max(120_000).default(0),
  /** Seconds, in the header Retry-After. */
  retryAfter: z.int().min(0).optional(),
  /** Closes the connection without a response. */
  cut: z.boolean().default(false),
});
export type InboxBehaviour = z.output<typeof inboxBehaviourSchema>;

export interface InboxDelivery {
  name: string;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON. */
  body: unknown;
  /** Whether one of the secrets verifies the signature. */
  verified: boolean;
  at: string;
}

const MAX_DELIVERIES = 10_000;

/** A receiver of webhooks that stores the deliveries. */
export class WebhookInbox {
  private kept: InboxDelivery[] = [];
  private secrets: readonly string[] = [];
  private readonly behaviours = new Map<string, InboxBehaviour>();
  private general: InboxBehaviour = inboxBehaviourSchema.parse({});

  receive(name: string, headers: Readonly<Record<string, string>>, body: unknown, rawBody: string): InboxBehaviour {
    const verified = this.secrets.some((secret) => verifies(secret, headers, rawBody));
    this.kept.push({ name, headers, body, verified, at: new Date().toISOString() });
    if (this.kept.length > MAX_DELIVERIES) this.kept.shift();
    return this.behaviours.get(name) ?? this.general;
  }

  /** Newest last. */
  deliveries(name: string | null): InboxDelivery[] {
    return this.kept.filter((one) => name === null || one.name === name);
  }

  forget(name: string | null): void {
    this.kept = name === null ? [] : this.kept.filter((one) => one.name !== name);
  }

  setSecrets(secrets: readonly string[]): void {
    this.secrets = secrets;
  }

  /** Without a name: the behaviour of all names that have no behaviour of their own. */
  behave(behaviour: InboxBehaviour, name?: string): void {
    if (name === undefined) this.general = behaviour;
    else this.behaviours.set(name, behaviour);
  }

  resetBehaviour(name?: string): void {
    if (name !== undefined) {
      this.behaviours.delete(name);
      return;
    }
    this.behaviours.clear();
    this.general = inboxBehaviourSchema.parse({});
  }
}

function verifies(secret: string, headers: Readonly<Record<string, string>>, rawBody: string): boolean {
  try {
    new Webhook(secret).verify(rawBody, { ...headers });
    return true;
  } catch {
    return false;
  }
}
