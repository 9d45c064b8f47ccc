import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import { AppError, ErrorFilter } from '@heliograph/errors';
import { IdempotencyService } from './idempotency.service';
import { claimOf } from './idempotency.guard';

/**
 * Stores the error of a call that was refused before its service began the work, such as by the validation pipe, because it is
 * the response of the call. The ErrorFilter of the module writes the response.
 */
@Injectable()
@Catch(AppError)
export class RefusalFilter implements ExceptionFilter<AppError> {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly errors: ErrorFilter,
  ) {}

  async catch(error: AppError, host: ArgumentsHost): Promise<void> {
    const claim = claimOf(host);
    this.errors.catch(claim && !claim.isBegun ? await this.idempotency.refuse(claim, error) : error, host);
  }
}
