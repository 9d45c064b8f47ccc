import type { Provider, Type } from '@nestjs/common';
import { ChatappAllowancesController } from './allowances.controller';
import { ChatappAllowancesService } from './allowances.service';
import { ChatappConsentsController } from './consents.controller';
import { ChatappConsentsService } from './consents.service';
import { ChatappPricesController } from './prices.controller';
import { ChatappPricesService } from './prices.service';
import { ChatappSendingController } from './sending.controller';
import { ChatappSendingService } from './sending.service';
import { ChatappStandingController } from './standing.controller';
import { ChatappStandingService } from './standing.service';
import { ChatappTemplatesController } from './templates.controller';

/** What chat-app messages cost and whether they leave, for the operator; whom they go to, for an organization. */
export const chatappControllers: Type[] = [
  ChatappPricesController,
  ChatappAllowancesController,
  ChatappSendingController,
  ChatappConsentsController,
  ChatappTemplatesController,
  ChatappStandingController,
];
export const chatappProviders: Provider[] = [
  ChatappPricesService,
  ChatappAllowancesService,
  ChatappSendingService,
  ChatappConsentsService,
  ChatappStandingService,
];
