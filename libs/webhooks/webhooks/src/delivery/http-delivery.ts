import { lookup, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { AddressGuard } from './address-guard';
import { EndpointRefused, parseEndpointUrl, resolveEndpoint, type EndpointRules } from './endpoint-url';

export const TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 1_024;
const MAX_HEADER_BYTES = 16_384;

export interface DeliveryAnswer {
  statusCode: number | null;
  /** Why there is no response; null with a response. */
  error: string | null;
  /** The first kilobyte. */
  responseBody: string | null;
  retryAfter: string | null;
  durationMs: number;
}

export interface HttpDeliveryOptions {
  allowHttp: boolean;
  allowedNetworks: readonly string[];
  ownHosts: readonly string[];
  timeoutMs?: number;
  resolve?: EndpointRules['resolve'];
  /** Certificate authorities beside those of the system, in PEM. */
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
      ownHosts: options.ownHosts,
      resolve: options.resolve ?? ((host) => resolveAll(host, { all: true })),
    };
    this.agent = new Agent({
      // Endpoints of one host do not wait for each other; the worker limits the deliveries of each.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
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

  /** Never rejects: every problem is part of the answer. */
  async post(target: string, headers: Record<string, string>, body: string): Promise<DeliveryAnswer> {
    const start = performance.now();
    const took = () => Math.round(performance.now() - start);
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      const url = parseEndpointUrl(target, this.rules);
      // The connector resolves names itself, but not addresses.
      if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) await resolveEndpoint(url, this.rules);
      const response = await request(url, { method: 'POST', headers, body, dispatcher: this.agent, signal });
      const responseBody = await readStart(response.body);
      const retryAfter = response.headers['retry-after'];
      return {
        ...{ statusCode: response.statusCode, error: null, responseBody, durationMs: took() },
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    } catch (error) {
      const reason = signal.aborted ? `No complete response within ${this.timeoutMs / 1000} s.` : reasonOf(error);
      return { statusCode: null, error: reason, responseBody: null, retryAfter: null, durationMs: took() };
    }
  }

  async stop(): Promise<void> {
    await this.agent.destroy();
  }

  private async lookUp(host: string, family: number | string | undefined): Promise<LookupAddress[]> {
    const addresses = await resolveEndpoint(new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}`), this.rules);
    const wanted = family === 4 || family === 6 ? addresses.filter((one) => one.family === family) : addresses;
    return wanted.length > 0 ? wanted : addresses;
  }
}

/** Reads the start of a response and drops the rest, so that a large response costs neither memory nor time. */
async function readStart(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BODY_BYTES) break;
  }
  // Text for PostgreSQL: no NUL.
  return Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

function reasonOf(error: unknown): string {
  if (error instanceof EndpointRefused) return error.message;
  const { message, code, cause } = error as Error & { code?: string };
  if (cause instanceof EndpointRefused) return cause.message;
  return `${code ?? 'ERROR'}: ${message}`.slice(0, 500).replaceAll('\0', '\uFFFD');
}
