import { LRUCache } from 'lru-cache';
import { digitsOf } from '../digits';
import { isFields } from './fields';

/** A received call, as the control API returns it. */
export interface ProviderRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Parsed JSON, null without a body. An upload has its fields and `file: {name, type, size, sha256}`. */
  body: unknown;
  /** RFC 3339. */
  at: string;
}

export interface RequestLimits {
  maxRequests: number;
  /** The limit of all bodies together. */
  maxBytes: number;
}

/** The newest calls. The oldest are dropped when a limit is exceeded. */
export class RequestLog {
  private readonly requests: LRUCache<number, ProviderRequest>;
  private nextKey = 0;

  constructor({ maxRequests, maxBytes }: RequestLimits) {
    this.requests = new LRUCache({ max: maxRequests, maxSize: maxBytes });
  }

  /** `bodyBytes` is the size of the body. */
  add(request: ProviderRequest, bodyBytes: number): void {
    this.requests.set(this.nextKey++, request, { size: bodyBytes + 1 });
  }

  /** The calls to a recipient (compared by digits) or all calls, newest last. */
  list(to?: string): ProviderRequest[] {
    const all = [...this.requests.rvalues()].filter((request) => request !== undefined);
    if (to === undefined) return all;
    const digits = digitsOf(to);
    return all.filter(({ body }) => {
      const recipient = recipientOf(body);
      return recipient !== null && digitsOf(recipient) === digits;
    });
  }

  clear(): void {
    this.requests.clear();
  }
}

/** The recipient of a call, if it has one. */
export function recipientOf(body: unknown): string | null {
  return isFields(body) && typeof body['to'] === 'string' ? body['to'] : null;
}
