import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { chatappCatalogEntities, ChatappCatalogModule } from '@heliograph/chatapp-catalog';
import { ChatappAllowancesController } from './allowances/allowances.controller';
import { ChatappAllowancesService } from './allowances/allowances.service';
import { ChatappConsentsController } from './consents/consents.controller';
import { ChatappConsentsService } from './consents/consents.service';
import { ChatappPricesController } from './prices/prices.controller';
import { ChatappPricesService } from './prices/prices.service';
import { ChatappSendingController } from './sending/sending.controller';
import { ChatappSendingService } from './sending/sending.service';
import { ChatappTemplatesController } from './templates/templates.controller';
import { ChatappUsageController } from './usage/usage.controller';
import { ChatappUsageService } from './usage/usage.service';

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
