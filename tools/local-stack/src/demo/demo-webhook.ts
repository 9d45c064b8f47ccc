import { SCOPES } from '@heliograph/contracts';
import type { ProvisioningFile, ProvisioningReport } from '@heliograph/provision';
import { findDemoKey } from './demo-key';

const NAME = 'demo';

export interface DemoWebhook {
  /** The deliveries, newest last. */
  inboxUrl: string;
}

interface Place {
  gatewayUrl: string;
  controlPort: number;
  /** Configures the receiver with the secret that signs deliveries. */
  setSecret: (secret: string) => void;
}

/** The first key that may manage webhooks, or null. */
export function findWebhookKey({ organizations }: ProvisioningFile, report: ProvisioningReport): string | null {
  return organizations.map((one) => findDemoKey(one, report, SCOPES)).find((key) => key !== null) ?? null;
}

/**
 * Delivers all events of the organization of the key to the receiver of the simulators. The secret is shown only when it is
 * created, so an existing webhook gets a new one at each start. Null if the services refuse the webhook.
 */
export async function connectDemoWebhook(
  key: string,
  { gatewayUrl, controlPort, setSecret }: Place,
): Promise<DemoWebhook | null> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${gatewayUrl}/api/v1/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return response.ok ? response.json() : null;
  };
  // An IP address instead of a name: the services may connect to 127.0.0.0/8 only, and localhost can be ::1.
  const url = `http://127.0.0.1:${controlPort}/webhook-inbox/${NAME}`;
  const list = (await call('GET', '?limit=100')) as { data: { id: string; url: string }[] } | null;
  if (!list) return null;
  const existing = list.data.find((one) => one.url === url);
  const created = (await (existing
    ? call('POST', `/${existing.id}/rotate-secret`)
    : call('POST', '', { url, events: ['*'], description: 'The receiver of the simulators' }))) as {
    secret: string;
  } | null;
  if (!created) return null;
  setSecret(created.secret);
  return { inboxUrl: `http://localhost:${controlPort}/webhook-inbox?name=${NAME}` };
}
