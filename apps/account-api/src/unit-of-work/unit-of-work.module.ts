import { Global, Module } from '@nestjs/common';
import { IdempotencyModule } from '@heliograph/idempotency';
import { UnitOfWork } from './unit-of-work.service';

/** Global: every feature writes. */
@Global()
@Module({ imports: [IdempotencyModule], providers: [UnitOfWork], exports: [UnitOfWork, IdempotencyModule] })
export class UnitOfWorkModule {}
