import { Module } from '@nestjs/common';
import { BotCatalogModule } from '@heliograph/bot-catalog';
import { ChatPagesController } from './chat-pages.controller';
import { PublicAddresses } from './public-addresses';
import { widgetAssetsProvider } from './widget-assets.provider';
import { WidgetConfigController } from './widget-config.controller';
import { WidgetController } from './widget.controller';

@Module({
  imports: [BotCatalogModule],
  controllers: [WidgetController, WidgetConfigController, ChatPagesController],
  providers: [PublicAddresses, widgetAssetsProvider],
})
export class PagesModule {}
