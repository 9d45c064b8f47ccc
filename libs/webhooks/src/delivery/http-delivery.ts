import { lookup, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { toStorableText } from '@heliograph/service-kit';
import { Agent } from 'undici';
import { AddressGuard } from './address-guard';
import { checkAddressOf, EndpointRefused, parseEndpointUrl, resolveEndpoint, type EndpointRules } from './endpoint-url';
import { DeadlineError, postRequest, type RequestTarget } from './post-request';

export const TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 1_024;
const MAX_HEADER_BYTES = 16_384;
const MAX_ERROR_LENGTH = 500;

/** Where deliveries go, or why nothing is delivered to the URL. */
export type Target = RequestTarget | EndpointRefused;

export interface DeliveryAnswer {
  statusCode: number | null;
  /** The reason for a missing response; null if there is a response. */
  error: string | null;
  /** The first kilobyte. */
  responseBody: string | null;
  retryAfter: string | null;
  durationMs: number;
}

export interface HttpDeliveryOptions {
  allowHttp: boolean;
  allowedNetworks: readonly string[];
  ownUrls: readonly string[];
  timeoutMs?: number;
  resolve?: EndpointRules['resolve'];
  /** Certificate authorities in addition to those of the system, in PEM. */
  ca?: string;
}

const resolveAll = promisify(lookup);

/**
 * Posts to endpoints. Every connection goes to an address that was checked after the look-up, so a name that changes
 * its address later is refused as well. Redirects are not followed and proxies of the environment are not used.
 */
export class HttpDelivery {
  readonly rules: EndpointRules;
  private readonly agent: Agent;
  private readonly timeoutMs: number;

  constructor({ timeoutMs = TIMEOUT_MS, ca, ...options }: HttpDeliveryOptions) {
    this.timeoutMs = timeoutMs;
    this.rules = {
      guard: new AddressGuard(options.allowedNetworks),
      allowHttp: options.allowHttp,
      ownUrls: options.ownUrls,
      resolve: options.resolve ?? ((host) => resolveAll(host, { all: true })),
    };
    this.agent = new Agent({
      // Endpoints on one host do not wait for each other; the worker limits the concurrent deliveries of each endpoint.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      // One deadline applies to the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: timeoutMs,
        ...(ca === undefined ? {} : { ca }),
        lookup: (host, settings, done) => {
          this.lookUp(host, settings.family).then(
            (addresses) =>
              settings.all === true
                ? done(null, addresses)
                : done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4),
            (error: Error) => done(error, []),
          );
        },
      },
    });
  }

  /** Parses and checks a URL once for many deliveries. */
  targetOf(target: string): Target {
    try {
      const url = parseEndpointUrl(target, this.rules);
      // The connector resolves and checks host names itself, but does not check IP addresses.
      checkAddressOf(url, this.rules);
      return { origin: url.origin, path: `${url.pathname}${url.search}` };
    } catch (error) {
      if (error instanceof EndpointRefused) return error;
      throw error;
    }
  }

  /** Never rejects: errors are part of the result. */
  async post(target: Target, headers: Record<string, string>, body: string): Promise<DeliveryAnswer> {
    const startedAt = performance.now();
    const took = () => Math.round(performance.now() - startedAt);
    try {
      if (target instanceof EndpointRefused) throw target;
      const limits = { timeoutMs: this.timeoutMs, maxBodyBytes: MAX_BODY_BYTES };
      const { statusCode, retryAfter, body: start } = await postRequest(this.agent, target, headers, body, limits);
      const responseBody = toStorableText(start.toString('utf8'));
      return { statusCode, error: null, responseBody, retryAfter, durationMs: took() };
    } catch (error) {
      const isLate = error instanceof DeadlineError;
      const reason = isLate ? `No complete response within ${this.timeoutMs / 1000} s.` : reasonOf(error);
      return { statusCode: null, error: reason, responseBody: null, retryAfter: null, durationMs: took() };
    }
  }

  async stop(): Promise<void> {
    await this.agent.destroy();
  }

  private async lookUp(host: string, family: number | string | undefined): Promise<LookupAddress[]> {
    const url = new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}`);
    const addresses = [...(await resolveEndpoint(url, this.rules))];
    const wanted = family === 4 || family === 6 ? addresses.filter((one) => one.family === family) : addresses;
    return wanted.length > 0 ? wanted : addresses;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof EndpointRefused) return error.message;
  const { message, code, cause } = error as Error & { code?: string };
  if (cause instanceof EndpointRefused) return cause.message;
  return toStorableText(`${code ?? 'ERROR'}: ${message}`, MAX_ERROR_LENGTH);
}
