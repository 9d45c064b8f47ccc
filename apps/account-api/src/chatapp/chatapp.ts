import type { Provider, Type } from '@nestjs/common';
import { ChatappAllowancesController } from './allowances.controller';
import { ChatappAllowancesService } from './allowances.service';
import { ChatappConsentsController } from './consents.controller';
import { ChatappConsentsService } from './consents.service';
import { ChatappPricesController } from './prices.controller';
import { ChatappPricesService } from './prices.service';
import { ChatappSendingController } from './sending.controller';
import { ChatappSendingService } from './sending.service';
import { ChatappUsageController } from './usage.controller';
import { ChatappUsageService } from './usage.service';
import { ChatappTemplatesController } from './templates.controller';

/** Chat-app prices and the sending switch for the operator; consents and templates for organizations. */
export const chatappControllers: Type[] = [
  ChatappPricesController,
  ChatappAllowancesController,
  ChatappSendingController,
  ChatappConsentsController,
  ChatappTemplatesController,
  ChatappUsageController,
];
export const chatappProviders: Provider[] = [
  ChatappPricesService,
  ChatappAllowancesService,
  ChatappSendingService,
  ChatappConsentsService,
  ChatappUsageService,
];
