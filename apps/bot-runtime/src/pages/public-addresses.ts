import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@heliograph/service-kit';
import type { BotRuntimeConfig } from '../bot-runtime.config';

/** Public URLs of the service: from the configuration, never from request headers. */
@Injectable()
export class PublicAddresses {
  /** Origin of the API, the loader and the frame. */
  readonly apiBase: string;
  private readonly base: string;
  private readonly botsBase: string;

  constructor(@Inject(CONFIG) config: BotRuntimeConfig) {
    this.base = config.PUBLIC_BASE_URL;
    this.botsBase = config.PUBLIC_BOTS_URL ?? config.PUBLIC_BASE_URL;
    this.apiBase = new URL(this.base).origin;
  }

  embedUrl(botId: string): string {
    return `${this.base}/bots/embed/${encodeURIComponent(botId)}`;
  }

  hostedUrl(botId: string): string {
    return `${this.botsBase}/c/${encodeURIComponent(botId)}`;
  }
}
