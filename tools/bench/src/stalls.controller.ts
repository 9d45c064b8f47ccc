import { Controller, Get, Res } from '@nestjs/common';
import { Public } from '@heliograph/service-kit';
import type { Response } from 'express';
import { watchStalls } from './event-loop-stalls';

@Public()
@Controller('bench/stalls')
export class StallsController {
  private readonly readStalls = watchStalls();

  /** Sends the response itself, without the envelope of the service. */
  @Get()
  read(@Res() response: Response): void {
    response.json(this.readStalls());
  }
}
