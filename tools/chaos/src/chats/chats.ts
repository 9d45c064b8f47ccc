import { PlatformSimulator } from '@heliograph/simulators';
import type { Random } from '../random';
import type { Conduct } from '../until-answered';
import { Chatter, TEMPLATES } from './chatter';
import { Courier } from './courier';
import type { EventEar } from './event-ear';
import { People } from './people';
import { PATIENCE_MS, PlatformMoods } from './platform-moods';
import { PURSES } from './seed-chats';
import { StatusTeller } from './status-teller';

/** A platform that knows the templates of the run. */
export async function startPlatform(): Promise<PlatformSimulator> {
  const platform = new PlatformSimulator({ keepRequests: false });
  await platform.start();
  for (const [category, name] of Object.entries(TEMPLATES))
    platform.reviewTemplate(name, { status: 'APPROVED', category });
  return platform;
}

/** Of the services that send and receive chats. */
export function chatSettings({ url, account }: PlatformSimulator): Record<string, string> {
  return {
    CHATAPP_ACCESS_TOKEN: account.accessToken,
    CHATAPP_PHONE_NUMBER_ID: account.phoneNumberId,
    CHATAPP_BUSINESS_ACCOUNT_ID: account.businessAccountId,
    CHATAPP_PRODUCT: account.product,
    CHATAPP_APP_SECRET: account.appSecret,
    CHATAPP_GRAPH_URL: url,
    CHATAPP_TIMEOUT_MS: String(PATIENCE_MS),
    CHATAPP_SETTLE_AFTER_MS: '5000',
    // Few people get much here.
    CHATAPP_PAIR_BURST: '0',
  };
}

interface ChatParts {
  platform: PlatformSimulator;
  /** Where sends are taken, and where webhooks are. */
  apiUrls: readonly string[];
  hookUrl: string;
  ear: EventEar;
  workspaceIds: readonly string[];
  random: Random;
}

/** Everybody in a run who has to do with chats: those who send, the platform, those who write back. */
export class Chats {
  readonly platform: PlatformSimulator;
  readonly ear: EventEar;
  readonly workspaceIds: readonly string[];
  readonly courier: Courier;
  readonly people: People;
  readonly teller: StatusTeller;
  readonly chatter: Chatter;
  private readonly moods: PlatformMoods;

  constructor({ platform, apiUrls, hookUrl, ear, workspaceIds, random }: ChatParts) {
    platform.hookUrl = `${hookUrl}/api/chatapp/webhook`;
    this.platform = platform;
    this.ear = ear;
    this.workspaceIds = workspaceIds;
    this.courier = new Courier(platform);
    this.people = new People(this.courier, PURSES.length);
    this.teller = new StatusTeller(platform, this.courier);
    this.chatter = new Chatter(apiUrls, this.people.all);
    this.moods = new PlatformMoods(platform, random).begin();
  }

  get retries(): number {
    return ([this.chatter, this.courier] satisfies Conduct[]).reduce((sum, { retries }) => sum + retries, 0);
  }

  /** Nothing new; resolves when all that was begun is answered, told and acknowledged. */
  async stop(): Promise<void> {
    await this.moods.stop();
    await Promise.all([this.chatter.stop(), this.people.stop()]);
    await this.teller.stop();
    await this.courier.stop();
  }

  /** One line for those who watch. */
  toString(): string {
    const { answered } = this.chatter;
    return `${answered.size} chats, ${this.platform.totals.accepted} at the platform, ${this.people.written.length} inbound`;
  }
}
