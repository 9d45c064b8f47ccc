import { encodeAsset, loadWidgetAssets, type WidgetAssets } from '@heliograph/bot-widget';
import { Injectable, type Provider } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '@heliograph/service-kit';
import type { BotRuntimeConfig } from '../bot-runtime.config';

/** The built files of the widget. The service does not start without them. */
export const WIDGET_ASSETS = Symbol('WidgetAssets');

export const widgetAssetsProvider: Provider = {
  provide: WIDGET_ASSETS,
  inject: [CONFIG],
  useFactory: ({ BOT_WIDGET_DIR }: BotRuntimeConfig): Promise<WidgetAssets> => loadWidgetAssets(BOT_WIDGET_DIR),
};

const MAX_BODIES = 1_000;
/** Nearly the smallest size at a hundredth of the time: anybody can request the page of an unknown bot. */
const BROTLI_QUALITY = 5;

/** Compressed bodies per bot, recomputed when they change. */
@Injectable()
export class EncodedBodies {
  private readonly encoded = new LRUCache<string, ReturnType<typeof encodeAsset>>({ max: MAX_BODIES });

  encode(body: string): ReturnType<typeof encodeAsset> {
    const known = this.encoded.get(body);
    if (known) return known;
    const made = encodeAsset(Buffer.from(body), { brotliQuality: BROTLI_QUALITY });
    this.encoded.set(body, made);
    return made;
  }
}
