import { Inject, Injectable } from '@nestjs/common';
import type { BotRuntimeSettings } from '../bot-runtime.config';
import { BOT_RUNTIME_SETTINGS } from '../bot-runtime.tokens';

/** By which addresses visitors reach what this service serves: from settings, never from what a request claims. */
@Injectable()
export class PublicAddresses {
  /** Origin of the API, the loader and the frame. */
  readonly apiBase: string;
  private readonly base: string;
  private readonly botsBase: string;

  constructor(@Inject(BOT_RUNTIME_SETTINGS) settings: BotRuntimeSettings) {
    this.base = settings.PUBLIC_BASE_URL;
    this.botsBase = settings.PUBLIC_BOTS_URL ?? settings.PUBLIC_BASE_URL;
    this.apiBase = new URL(this.base).origin;
  }

  embedUrl(botId: string): string {
    return `${this.base}/bots/embed/${encodeURIComponent(botId)}`;
  }

  hostedUrl(botId: string): string {
    return `${this.botsBase}/c/${encodeURIComponent(botId)}`;
  }
}
