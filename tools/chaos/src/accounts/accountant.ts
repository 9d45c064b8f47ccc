import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { benchKey } from '@heliograph/harness';
import { untilAnswered, type Conduct } from '../until-answered';

const LANES = 4;
const PACE_MS = 120;
const REPEATED_SHARE = 0.15;
const MOST_CREDITS = 1_000;

export interface MadeTransfer {
  id: string;
  fromWorkspaceId: string;
  toWorkspaceId: string;
  amount: number;
}

/** A key as its last answered change has left it. */
export interface MadeKey {
  id: string;
  name: string;
  secret: string;
  isRevoked: boolean;
  /** How often it was given another secret. */
  rotations: number;
}

interface Answer<T> {
  ok: true;
  data: T;
}

/** What the answers to `POST .../api-keys` and `POST .../rotate` have in common. */
interface ShownKey {
  apiKey: { id: string; name: string };
  key: string;
}

/**
 * People who move credits and keys about, each write with an Idempotency-Key and until it is answered. Now and then an
 * answered one is sent once more, which must give the same answer.
 */
export class Accountant implements Conduct {
  readonly transfers: MadeTransfer[] = [];
  readonly keys: MadeKey[] = [];
  readonly problems: string[] = [];
  retries = 0;
  private running = true;
  private readonly lanes: Promise<void>[];

  constructor(
    private readonly url: string,
    private readonly organizations: number,
  ) {
    this.lanes = Array.from({ length: LANES }, (_, lane) => this.run(lane));
  }

  /** Nothing new; resolves when all that was begun is answered. */
  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.lanes);
  }

  /** A lane's keys are its own, so that what was asked last is what must hold. */
  private async run(lane: number): Promise<void> {
    const own: MadeKey[] = [];
    for (let turn = lane; this.running; turn++) {
      const organization = turn % this.organizations;
      const live = own.find(({ isRevoked }) => !isRevoked);
      const chance = Math.random();
      if (chance < 0.5) await this.transfer(organization);
      else if (!live || chance < 0.7) await this.createKey(lane, own);
      else if (chance < 0.85) await this.rotateKey(lane, live);
      else await this.revokeKey(lane, live);
      await delay(PACE_MS);
    }
  }

  private async transfer(organization: number): Promise<void> {
    const key = benchKey(organization);
    const pair = await this.workspacesOf(key);
    const [from, to] = Math.random() < 0.5 ? pair : pair.toReversed();
    if (from === undefined || to === undefined) return;
    const asked = { toWorkspaceId: to, creditType: 'sms', amount: 1 + Math.floor(Math.random() * MOST_CREDITS) };
    const path = `/api/workspaces/${from}/credits/transfers`;
    const answer = await this.write<{ transfer: MadeTransfer }>(key, 'POST', path, asked);
    if (!answer) return;
    this.transfers.push({ id: answer.transfer.id, fromWorkspaceId: from, toWorkspaceId: to, amount: asked.amount });
  }

  private async createKey(lane: number, own: MadeKey[]): Promise<void> {
    const name = `chaos-${randomUUID()}`;
    const answer = await this.write<ShownKey>(this.keyOf(lane), 'POST', '/api/organization/api-keys', { name });
    if (!answer) return;
    const made = { id: answer.apiKey.id, name, secret: answer.key, isRevoked: false, rotations: 0 };
    own.push(made);
    this.keys.push(made);
  }

  private async rotateKey(lane: number, key: MadeKey): Promise<void> {
    const path = `/api/organization/api-keys/${key.id}/rotate`;
    const answer = await this.write<ShownKey>(this.keyOf(lane), 'POST', path, {});
    if (!answer) return;
    key.secret = answer.key;
    key.rotations++;
  }

  private async revokeKey(lane: number, key: MadeKey): Promise<void> {
    const answer = await this.write<object>(this.keyOf(lane), 'DELETE', `/api/organization/api-keys/${key.id}`);
    if (answer) key.isRevoked = true;
  }

  private keyOf(lane: number): string {
    return benchKey(lane % this.organizations);
  }

  /** The first one is sent from and topped up, the second is its sibling. */
  private async workspacesOf(key: string): Promise<string[]> {
    const answer = await untilAnswered<Answer<{ workspaces: { id: string }[] }>>(
      {
        name: 'a list of workspaces',
        url: `${this.url}/api/workspaces`,
        method: 'GET',
        headers: () => ({ authorization: `Bearer ${key}` }),
      },
      this,
    );
    return (answer?.data.workspaces ?? []).map(({ id }) => id);
  }

  private async write<T>(key: string, method: 'POST' | 'DELETE', path: string, asked?: object): Promise<T | null> {
    const headers = {
      authorization: `Bearer ${key}`,
      'idempotency-key': randomUUID(),
      ...(asked ? { 'content-type': 'application/json' } : {}),
    };
    const call = {
      name: `${method} ${path}`,
      url: `${this.url}${path}`,
      method,
      headers: () => headers,
      // What a workspace has is for its people to know: a transfer of more is refused, and leaves no trace.
      mayRefuse: /INSUFFICIENT_CREDITS/,
      ...(asked ? { body: JSON.stringify(asked) } : {}),
    };
    const answer = await untilAnswered<Answer<T>>(call, this);
    if (answer && Math.random() < REPEATED_SHARE) {
      const again = await untilAnswered<Answer<T>>(call, this);
      if (!isDeepStrictEqual(again, answer))
        this.problems.push(
          `${call.name} was answered ${JSON.stringify(answer)} and, repeated, ${JSON.stringify(again)}`,
        );
    }
    return answer?.data ?? null;
  }
}
