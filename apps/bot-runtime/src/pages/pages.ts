import type { Provider, Type } from '@nestjs/common';
import { ChatPagesController } from './chat-pages.controller';
import { PublicAddresses } from './public-addresses';
import { EncodedBodies, widgetAssetsProvider } from './widget-assets.provider';
import { WidgetController } from './widget.controller';

/** The widget's script, its configuration, and the pages with the chat. */
export const pagesControllers: Type[] = [WidgetController, ChatPagesController];
export const pagesProviders: Provider[] = [PublicAddresses, EncodedBodies, widgetAssetsProvider];
