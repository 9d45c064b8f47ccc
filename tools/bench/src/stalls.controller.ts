import { Controller, Get } from '@nestjs/common';
import { HttpResult, Public } from '@heliograph/service-kit';
import { watchStalls } from './event-loop-stalls';

@Public()
@Controller('bench/stalls')
export class StallsController {
  private readonly readStalls = watchStalls();

  /** An `HttpResult` is sent without the envelope of the service. */
  @Get()
  read(): HttpResult {
    return new HttpResult({ body: this.readStalls() });
  }
}
