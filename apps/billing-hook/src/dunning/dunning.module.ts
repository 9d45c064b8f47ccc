import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Dunning, Invoice } from '@heliograph/billing';
import { TenancyModule } from '@heliograph/tenancy';
import { PayersModule } from '../payers/payers.module';
import { DunningService } from './dunning.service';
import { DunningSteps } from './dunning-steps';
import { DunningWorker } from './dunning-worker';

@Module({
  imports: [TypeOrmModule.forFeature([Dunning, Invoice]), TenancyModule, PayersModule],
  providers: [DunningService, DunningSteps, DunningWorker],
  exports: [DunningService],
})
export class DunningModule {}
