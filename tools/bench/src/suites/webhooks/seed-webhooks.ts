import { newId } from '@heliograph/database';
import { localKeyRing } from '@heliograph/secrets';
import {
  API_VERSION,
  composeBody,
  exampleDataOf,
  generateSecret,
  publicEventId,
  WEBHOOK_SECRET,
} from '@heliograph/webhooks';
import type { Client, Pool } from 'pg';
import type { WebhookJob } from '../../reference/webhook-job';

/** Endpoints, each of its own organization: 10 deliveries to each endpoint at a time make 100. */
const ENDPOINTS = 10;
const TYPE = 'sms.delivered';

export interface BenchEndpoint {
  id: string;
  organizationId: string;
  secret: string;
  path: string;
}

/** The endpoints of our worker, and one more of the first organization that hangs and is not active yet. */
export async function seedEndpoints(client: Client, receiverUrl: string): Promise<BenchEndpoint[]> {
  const endpoints: BenchEndpoint[] = [];
  for (let index = 0; index < ENDPOINTS; index++) {
    const endpoint = { id: newId(), organizationId: newId(), secret: generateSecret(), path: `/ours/${index}` };
    await insertEndpoint(client, endpoint, receiverUrl, true);
    endpoints.push(endpoint);
  }
  const hanging = {
    id: newId(),
    organizationId: endpoints[0]?.organizationId ?? '',
    secret: generateSecret(),
    path: '/hang',
  };
  await insertEndpoint(client, hanging, receiverUrl, false);
  return endpoints;
}

/** Subscribes an endpoint to the events of a type. */
export async function insertEndpoint(
  client: Client | Pool,
  { id, organizationId, secret, path }: BenchEndpoint,
  receiverUrl: string,
  active: boolean,
  type: string = TYPE,
): Promise<void> {
  await client.query(
    `INSERT INTO webhooks.subscriptions (id, organization_id, url, events, api_version, secret, active)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      id,
      organizationId,
      `${receiverUrl}${path}`,
      [type],
      API_VERSION,
      WEBHOOK_SECRET.seal(localKeyRing(), id, secret),
      active,
    ],
  );
}

/** Stores events in the log, which adds a delivery of each. */
export async function appendEvents(
  client: Client | Pool,
  endpoints: readonly BenchEndpoint[],
  count: number,
): Promise<void> {
  const time = new Date();
  const items = Array.from({ length: count }, (_, index) => {
    const { organizationId } = endpointOf(endpoints, index);
    const event = {
      id: newId(),
      type: TYPE,
      time,
      organizationId,
      workspaceId: null,
      data: exampleDataOf(TYPE),
    } as const;
    return { id: event.id, organizationId, workspaceId: null, type: TYPE, body: composeBody(event) };
  });
  await client.query('SELECT webhooks.append($1, $2)', [JSON.stringify(items), time]);
}

/** The same POSTs as jobs of a reference, to paths that start with its name. */
export function composeJobs(
  name: string,
  endpoints: readonly BenchEndpoint[],
  receiverUrl: string,
  count: number,
): WebhookJob[] {
  const time = new Date();
  return Array.from({ length: count }, (_, index) => {
    const { organizationId, secret } = endpointOf(endpoints, index);
    const id = newId();
    const data = exampleDataOf(TYPE);
    const body = composeBody({ id, type: TYPE, time, organizationId, workspaceId: null, data });
    return { eventId: publicEventId(id), url: `${receiverUrl}/${name}/${index % endpoints.length}`, secret, body };
  });
}

function endpointOf(endpoints: readonly BenchEndpoint[], index: number): BenchEndpoint {
  const endpoint = endpoints[index % endpoints.length];
  if (!endpoint) throw new Error('There are no endpoints.');
  return endpoint;
}
