import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '@heliograph/errors';
import type { ApiDescription } from '@heliograph/service-kit';

export type ApiDocument = ReturnType<ApiDescription['read']>;

const CACHE_MS = 60_000;
const TIMEOUT_MS = 3_000;

/** Reads the OpenAPI documents of the other services and caches each for a minute. */
@Injectable()
export class ServiceDocuments {
  private readonly known = new Map<string, { readAt: number; text: string; document: ApiDocument }>();

  /**
   * Returns the document of the service at a base URL. If the service is down, returns the last document; throws
   * SERVICE_UNAVAILABLE if no document was read yet. Returns the same object until the document changes.
   */
  async read(url: string): Promise<ApiDocument> {
    const known = this.known.get(url);
    if (known && Date.now() - known.readAt < CACHE_MS) return known.document;
    try {
      const response = await fetch(new URL('/openapi.json', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw new Error(`${url} responded with status ${response.status}`);
      const text = await response.text();
      const document = text === known?.text ? known.document : (JSON.parse(text) as ApiDocument);
      this.known.set(url, { readAt: Date.now(), text, document });
      return document;
    } catch (error) {
      if (known) return known.document;
      throw serviceUnavailable(`the OpenAPI document at ${url} cannot be read`, error);
    }
  }
}
