import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { chatappCatalogEntities, ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { ChatappAllowancesController } from './allowances.controller';
import { ChatappAllowancesService } from './allowances.service';
import { ChatappConsentsController } from './consents.controller';
import { ChatappConsentsService } from './consents.service';
import { ChatappPricesController } from './prices.controller';
import { ChatappPricesService } from './prices.service';
import { ChatappSendingController } from './sending.controller';
import { ChatappSendingService } from './sending.service';
import { ChatappTemplatesController } from './templates.controller';
import { ChatappUsageController } from './usage.controller';
import { ChatappUsageService } from './usage.service';

/** Chat-app prices and the sending switch for the operator; consents and templates for organizations. */
@Module({
  imports: [TypeOrmModule.forFeature(chatappCatalogEntities), ChatappCatalogModule],
  controllers: [
    ChatappPricesController,
    ChatappAllowancesController,
    ChatappSendingController,
    ChatappConsentsController,
    ChatappTemplatesController,
    ChatappUsageController,
  ],
  providers: [
    ChatappPricesService,
    ChatappAllowancesService,
    ChatappSendingService,
    ChatappConsentsService,
    ChatappUsageService,
  ],
})
export class ChatappModule {}
