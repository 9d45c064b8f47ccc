import { randomUUID } from 'node:crypto';
import { benchKey, upTo } from '@heliograph/bench-data';
import { callUntilAnswered } from '../call';
import { Workload, type LoadSource } from '../workload';

const LANES = 4;
const PAUSE_MS = 120;
const REPEATED_SHARE = 0.15;
const MAX_CREDITS = 1_000;

export interface Transfer {
  id: string;
  fromWorkspaceId: string;
  toWorkspaceId: string;
  amount: number;
}

/** An API key after its last acknowledged change. */
export interface ManagedKey {
  id: string;
  name: string;
  secret: string;
  isRevoked: boolean;
  rotations: number;
}

interface Answer<T> {
  ok: true;
  data: T;
}

/** The common part of the answers to creation and rotation. */
interface KeyAnswer {
  apiKey: { id: string; name: string };
  key: string;
}

/** Users who transfer credits and manage API keys, each write with an Idempotency-Key and until it is answered. */
export class AccountWorkload extends Workload implements LoadSource {
  readonly transfers: Transfer[] = [];
  readonly keys: ManagedKey[] = [];
  private readonly keysOfLane: ManagedKey[][] = Array.from({ length: LANES }, () => []);
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
    return `${this.transfers.length} credit transfers, ${this.keys.length} API keys`;
  }

  /** No other lane changes the keys of a lane, so that their last change is known. */
  protected async runOnce(lane: number): Promise<void> {
    const key = this.keysOfLane[lane]?.find(({ isRevoked }) => !isRevoked);
    const chance = Math.random();
    if (chance < 0.5) await this.transfer(this.number++ % this.organizations);
    else if (!key || chance < 0.7) await this.createKey(lane);
    else if (chance < 0.85) await this.rotateKey(lane, key);
    else await this.revokeKey(lane, key);
    await this.pause(PAUSE_MS);
  }

  private async transfer(organization: number): Promise<void> {
    const key = benchKey(organization);
    const pair = await this.workspacesOf(key);
    const [fromWorkspaceId, toWorkspaceId] = Math.random() < 0.5 ? pair : pair.toReversed();
    if (fromWorkspaceId === undefined || toWorkspaceId === undefined) return;
    const amount = upTo(MAX_CREDITS);
    const path = `/api/workspaces/${fromWorkspaceId}/credits/transfers`;
    const body = { toWorkspaceId, creditType: 'sms', amount };
    const answer = await this.write<{ transfer: { id: string } }>(key, 'POST', path, body);
    if (answer) this.transfers.push({ id: answer.transfer.id, fromWorkspaceId, toWorkspaceId, amount });
  }

  private async createKey(lane: number): Promise<void> {
    const name = `chaos-${randomUUID()}`;
    const answer = await this.write<KeyAnswer>(this.keyOf(lane), 'POST', '/api/organization/api-keys', { name });
    if (!answer) return;
    const key = { id: answer.apiKey.id, name, secret: answer.key, isRevoked: false, rotations: 0 };
    this.keysOfLane[lane]?.push(key);
    this.keys.push(key);
  }

  private async rotateKey(lane: number, key: ManagedKey): Promise<void> {
    const path = `/api/organization/api-keys/${key.id}/rotate`;
    const answer = await this.write<KeyAnswer>(this.keyOf(lane), 'POST', path, {});
    if (!answer) return;
    key.secret = answer.key;
    key.rotations++;
  }

  private async revokeKey(lane: number, key: ManagedKey): Promise<void> {
    const answer = await this.write<object>(this.keyOf(lane), 'DELETE', `/api/organization/api-keys/${key.id}`);
    if (answer) key.isRevoked = true;
  }

  private keyOf(lane: number): string {
    return benchKey(lane % this.organizations);
  }

  /** The main workspace and its sibling. */
  private async workspacesOf(bearerToken: string): Promise<string[]> {
    const answer = await callUntilAnswered<Answer<{ workspaces: { id: string }[] }>>(
      { name: 'the list of workspaces', url: `${this.url}/api/workspaces`, method: 'GET', bearerToken },
      this,
    );
    return (answer?.data.workspaces ?? []).map(({ id }) => id);
  }

  private async write<T>(
    bearerToken: string,
    method: 'POST' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<T | null> {
    const answer = await this.callAndRepeat<Answer<T>>(
      {
        name: `${method} ${path}`,
        url: `${this.url}${path}`,
        method,
        bearerToken,
        idempotencyKey: randomUUID(),
        // A transfer of more than the balance is refused without any effect.
        mayRefuse: /INSUFFICIENT_CREDITS/,
        ...(body ? { body } : {}),
      },
      { share: REPEATED_SHARE },
    );
    return answer?.data ?? null;
  }
}
