import { Global, Module } from '@nestjs/common';
import { auditEntities } from '../audit/migration-set';
import { OrganizationLimits } from '../limits/organization-limits';
import { TypeOrmModule } from '@nestjs/typeorm';
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
