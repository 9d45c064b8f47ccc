import { Controller, Get, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public, renderPage, type HttpResult } from '@heliograph/service-kit';
import { ConsoleErrorFilter } from './console-errors.filter';
import { PURCHASE_CANCELED_PAGE, PURCHASE_COMPLETED_PAGE } from './console-pages';

/** The pages to which the payment page leads if the purchase names no others. They reveal nothing about the purchase. */
@ApiExcludeController()
@Public()
@UseFilters(ConsoleErrorFilter)
@Controller('console/credits')
export class PurchasePagesController {
  @Get('completed')
  completed(): HttpResult<string> {
    return renderPage(PURCHASE_COMPLETED_PAGE);
  }

  @Get('canceled')
  canceled(): HttpResult<string> {
    return renderPage(PURCHASE_CANCELED_PAGE);
  }
}
