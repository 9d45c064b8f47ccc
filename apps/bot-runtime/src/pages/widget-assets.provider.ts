import { loadWidgetAssets, type WidgetAssets } from '@heliograph/bot-widget';
import type { Provider } from '@nestjs/common';
import { CONFIG } from '@heliograph/service-kit';
import type { BotRuntimeConfig } from '../bot-runtime.config';

/** The built files of the widget. The service does not start without them. */
export const WIDGET_ASSETS = Symbol('WidgetAssets');

export const widgetAssetsProvider: Provider = {
  provide: WIDGET_ASSETS,
  inject: [CONFIG],
  useFactory: ({ BOT_WIDGET_DIR }: BotRuntimeConfig): Promise<WidgetAssets> => loadWidgetAssets(BOT_WIDGET_DIR),
};
