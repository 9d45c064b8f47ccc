import { encodeAsset, loadWidgetAssets, type WidgetAssets } from '@heliograph/chat-widget';
import { Injectable, type Provider } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { BotRuntimeSettings } from '../bot-runtime.config';
import { BOT_RUNTIME_SETTINGS } from '../bot-runtime.tokens';

/** What visitors' browsers load. The service does not start without it. */
export const WIDGET_ASSETS = Symbol('WidgetAssets');

export const widgetAssetsProvider: Provider = {
  provide: WIDGET_ASSETS,
  inject: [BOT_RUNTIME_SETTINGS],
  useFactory: ({ BOT_WIDGET_DIR }: BotRuntimeSettings): Promise<WidgetAssets> => loadWidgetAssets(BOT_WIDGET_DIR),
};

const MOST_BODIES = 1_000;
/** Near the smallest at a hundredth of the time: anybody can ask for the page of a bot that there is not. */
const BROTLI_QUALITY = 5;

/** Bodies made for a bot, compressed once for as long as they stay the same. */
@Injectable()
export class EncodedBodies {
  private readonly encoded = new LRUCache<string, ReturnType<typeof encodeAsset>>({ max: MOST_BODIES });

  encode(body: string): ReturnType<typeof encodeAsset> {
    const known = this.encoded.get(body);
    if (known) return known;
    const made = encodeAsset(Buffer.from(body), { brotliQuality: BROTLI_QUALITY });
    this.encoded.set(body, made);
    return made;
  }
}
