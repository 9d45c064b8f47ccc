import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '@heliograph/errors';
import type { ApiDescription } from '@heliograph/service-kit';

export type ApiDocument = ReturnType<ApiDescription['read']>;

const CACHE_MS = 60_000;
const TIMEOUT_MS = 3_000;

/**
 * Reads the OpenAPI documents of the other services. A document that was read once is served from memory; after a minute, the next
 * call reads it again in the background.
 */
@Injectable()
export class ServiceDocuments {
  private readonly known = new Map<string, { readAt: number; text: string; document: ApiDocument }>();
  private readonly running = new Map<string, Promise<ApiDocument>>();

  /**
   * Returns the document of the service at a base URL. Throws SERVICE_UNAVAILABLE if the service is down and its document was not
   * read yet. Returns the same object until the document changes.
   */
  async read(url: string): Promise<ApiDocument> {
    const known = this.known.get(url);
    if (!known) return this.refresh(url);
    if (Date.now() - known.readAt >= CACHE_MS) {
      // Also after a failure, the document is read again only after a minute.
      known.readAt = Date.now();
      // A service that is down has another chance in a minute.
      void this.refresh(url).catch(() => undefined);
    }
    return known.document;
  }

  /** Calls at the same time share one request. */
  private refresh(url: string): Promise<ApiDocument> {
    const running = this.running.get(url) ?? this.fetch(url).finally(() => this.running.delete(url));
    this.running.set(url, running);
    return running;
  }

  private async fetch(url: string): Promise<ApiDocument> {
    const known = this.known.get(url);
    try {
      const response = await fetch(new URL('/openapi.json', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw new Error(`${url} responded with status ${response.status}`);
      const text = await response.text();
      const document = text === known?.text ? known.document : (JSON.parse(text) as ApiDocument);
      this.known.set(url, { readAt: Date.now(), text, document });
      return document;
    } catch (error) {
      throw serviceUnavailable(`the OpenAPI document at ${url} cannot be read`, error);
    }
  }
}
