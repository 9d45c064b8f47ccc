import { LRUCache } from 'lru-cache';
import { digitsOf } from '../digits';
import { isFields } from './fields';

/** A call that arrived, as the control API shows it. */
export interface PlatformRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Parsed JSON; of an upload its fields and `file: {name, type, size, sha256}`; null where there was none. */
  body: unknown;
  /** RFC 3339. */
  at: string;
}

export interface RequestLimits {
  maxRequests: number;
  /** Of their bodies. */
  maxBytes: number;
}

/** The newest calls; past a limit the oldest are forgotten. */
export class RequestLog {
  private readonly requests: LRUCache<number, PlatformRequest>;
  private nextKey = 0;

  constructor({ maxRequests, maxBytes }: RequestLimits) {
    this.requests = new LRUCache({ max: maxRequests, maxSize: maxBytes });
  }

  /** `bodyBytes` is what the body weighs. */
  add(request: PlatformRequest, bodyBytes: number): void {
    this.requests.set(this.nextKey++, request, { size: bodyBytes + 1 });
  }

  /** Newest last. Those whose body has that recipient, compared by its digits, or all. */
  list(to?: string): PlatformRequest[] {
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

/** Whom the call is about; null where it is about nobody. */
export function recipientOf(body: unknown): string | null {
  return isFields(body) && typeof body['to'] === 'string' ? body['to'] : null;
}
