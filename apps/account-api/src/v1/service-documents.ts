import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '@heliograph/errors';
import type { ApiDescription } from '@heliograph/service-kit';

export type ApiDocument = ReturnType<ApiDescription['read']>;

const CACHE_MS = 60_000;
const TIMEOUT_MS = 3_000;

/** The OpenAPI documents of the other services, which are read again after a minute. */
@Injectable()
export class ServiceDocuments {
  private readonly known = new Map<string, { readAt: number; text: string; document: ApiDocument }>();

  /**
   * The document of the service at a base URL. Throws SERVICE_UNAVAILABLE while a service that has never been reached is
   * down. The object is the same as long as the document is.
   */
  async read(url: string): Promise<ApiDocument> {
    const known = this.known.get(url);
    if (known && Date.now() - known.readAt < CACHE_MS) return known.document;
    try {
      const response = await fetch(new URL('/openapi.json', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      const text = await response.text();
      const document = text === known?.text ? known.document : (JSON.parse(text) as ApiDocument);
      this.known.set(url, { readAt: Date.now(), text, document });
      return document;
    } catch (error) {
      if (known) return known.document;
      throw serviceUnavailable(`the description at ${url} cannot be read`, error);
    }
  }
}
