import { Global, Module } from '@nestjs/common';
import { OrganizationLimits } from '@heliograph/limits';
import { TypeOrmModule } from '@nestjs/typeorm';
import { auditEntities } from '@heliograph/audit';
import { IdempotencyModule } from '@heliograph/idempotency';
import { UnitOfWork } from './unit-of-work.service';

/** Global, because every feature writes. */
@Global()
@Module({
  imports: [IdempotencyModule, TypeOrmModule.forFeature(auditEntities)],
  providers: [UnitOfWork, OrganizationLimits],
  exports: [UnitOfWork, IdempotencyModule],
})
export class UnitOfWorkModule {}
