import { CanActivate, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '@heliograph/errors';
import type { RouteFacts } from '@heliograph/api-reference';
import { CONFIG, LIMITER, type LimiterStorage, networkOf, type ReadMetadata } from '@heliograph/service-kit';
import type { Response } from 'express';
import type { BotRuntimeConfig } from '../bot-runtime.config';
import type { VisitorRequest } from '../visitors/visitor.guard';

const MINUTE_MS = 60_000;
const START_WINDOW_MS = 5 * MINUTE_MS;
const SERVICE = 'bot-runtime';

interface Limit {
  name: string;
  most: number;
  windowMs: number;
  /** The error message for a caller that exceeds the limit. */
  refusal: string;
}

interface Count {
  limit: Limit;
  remaining: number;
  resetSeconds: number;
  isOver: boolean;
}

/** `change` covers calls that end, reopen or rate a conversation. `read` includes opening an event stream. */
export type LimitedCall = 'start' | 'message' | 'change' | 'read';
export const LIMITED_AS = Symbol('call that is limited');

/** The limits of a route with `@LimitedAs()`, for the OpenAPI document. */
export function chatRouteFacts(read: ReadMetadata, config: BotRuntimeConfig): RouteFacts {
  const call = read<LimitedCall>(LIMITED_AS);
  if (call === undefined) return {};
  const { ofConversation, ofNetwork } = limitsOf(config);
  const rateOf = ({ most, windowMs }: Limit, per: string) => ({ calls: most, seconds: windowMs / 1000, per });
  const perAddress = rateOf(ofNetwork[call], 'IP address');
  return { rates: call === 'start' ? [perAddress] : [rateOf(ofConversation[call], 'conversation'), perAddress] };
}

interface ChatLimits {
  ofConversation: Readonly<Record<Exclude<LimitedCall, 'start'>, Limit>>;
  ofNetwork: Readonly<Record<LimitedCall, Limit>>;
}

/**
 * Rate limits across all replicas for the routes with `@LimitedAs()`; every response of such a route contains the number of
 * remaining calls. It is a global guard, so that it runs before the InputGuard reads the body, and runs after the VisitorGuard.
 */
@Injectable()
export class ChatLimitGuard implements CanActivate {
  private readonly limits: ChatLimits;

  constructor(
    @Inject(LIMITER) private readonly limiter: LimiterStorage,
    @Inject(CONFIG) config: BotRuntimeConfig,
    private readonly reflector: Reflector,
  ) {
    this.limits = limitsOf(config);
  }

  /**
   * Checks the limit of the conversation first, so that calls beyond this limit do not count for the address, which
   * other visitors may share.
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = this.reflector.get<LimitedCall | undefined>(LIMITED_AS, context.getHandler());
    if (call === undefined) return true;
    const http = context.switchToHttp();
    const { conversation, ip } = http.getRequest<VisitorRequest>();
    const { ofConversation, ofNetwork } = this.limits;
    const limits: [Limit, string][] = [[ofNetwork[call], networkOf(ip)]];
    if (call !== 'start' && conversation) limits.unshift([ofConversation[call], conversation.id]);
    await this.count(limits, http.getResponse<Response>());
    return true;
  }

  private async count(limits: (readonly [Limit, string])[], response: Response): Promise<void> {
    let tightest: Count | null = null;
    for (const [limit, who] of limits) {
      if (limit.most === 0) continue;
      const count = await this.increment(limit, who);
      if (tightest === null || isTighter(count, tightest)) tightest = count;
      if (count.isOver) break;
    }
    if (tightest === null) return;
    response.set({
      'RateLimit-Limit': String(tightest.limit.most),
      'RateLimit-Remaining': String(tightest.remaining),
      'RateLimit-Reset': String(tightest.resetSeconds),
    });
    if (!tightest.isOver) return;
    throw new AppError('RATE_LIMITED', `${tightest.limit.refusal} Try again after the seconds in Retry-After.`, {
      retryAfterSeconds: Math.max(1, tightest.resetSeconds),
    });
  }

  private async increment(limit: Limit, who: string): Promise<Count> {
    const { name, most, windowMs } = limit;
    const counted = await this.limiter.increment(`${name}:${who}`, windowMs, most, windowMs, SERVICE);
    return {
      limit,
      remaining: counted.isBlocked ? 0 : Math.max(0, most - counted.totalHits),
      resetSeconds: counted.isBlocked ? counted.timeToBlockExpire : counted.timeToExpire,
      isOver: counted.isBlocked,
    };
  }
}

function limitsOf(config: BotRuntimeConfig): ChatLimits {
  const perMinute = (name: string, most: number, refusal: string): Limit => ({
    name,
    most,
    refusal,
    windowMs: MINUTE_MS,
  });
  const inConversation = (what: string): string => `Too many ${what} in this conversation.`;
  const fromNetwork = (what: string): string => `Too many ${what} from this address.`;
  const { BOT_MESSAGES_PER_MINUTE: messages, BOT_MESSAGES_PER_MINUTE_PER_IP: messagesPerIp } = config;
  const { BOT_CHANGES_PER_MINUTE: changes, BOT_CHANGES_PER_MINUTE_PER_IP: changesPerIp } = config;
  const { BOT_READS_PER_MINUTE: reads, BOT_READS_PER_MINUTE_PER_IP: readsPerIp } = config;
  const ofConversation = {
    message: perMinute('bot-messages', messages, inConversation('messages')),
    change: perMinute('bot-changes', changes, inConversation('changes')),
    read: perMinute('bot-reads', reads, inConversation('reads')),
  };
  const ofNetwork = {
    start: {
      name: 'bot-starts',
      most: config.BOT_STARTS_PER_5_MINUTES,
      windowMs: START_WINDOW_MS,
      refusal: 'Too many conversations were started from this address.',
    },
    message: perMinute('bot-messages-network', messagesPerIp, fromNetwork('messages')),
    change: perMinute('bot-changes-network', changesPerIp, fromNetwork('changes')),
    read: perMinute('bot-reads-network', readsPerIp, fromNetwork('reads')),
  };
  return { ofConversation, ofNetwork };
}

function isTighter(one: Count, other: Count): boolean {
  if (one.isOver !== other.isOver) return one.isOver;
  return one.remaining < other.remaining;
}
