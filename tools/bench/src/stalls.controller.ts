import { Controller, Get, Res } from '@nestjs/common';
import { Public } from '@heliograph/platform';
import type { Response } from 'express';
import { watchStalls } from './stalls';

@Public()
@Controller('bench/stalls')
export class StallsController {
  private readonly readStalls = watchStalls();

  /** Sends its answer itself: whatever the service wraps answers in, this is none of its own. */
  @Get()
  read(@Res() response: Response): void {
    response.json(this.readStalls());
  }
}
