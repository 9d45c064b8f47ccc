import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { DatabaseModule } from '@heliograph/database';
import { runService } from '@heliograph/service-kit';
import { smsApi } from '@heliograph/sms-api';
import { TenancyModule } from '@heliograph/tenancy';
import { ReferenceController } from './reference.controller';
import { ReferenceBalance, ReferenceLedgerEntry, ReferenceMessage, ReferenceOutboxRow } from './reference.entities';

@Module({ imports: [TenancyModule], controllers: [ReferenceController] })
class ReferenceModule {}

void runService(
  {
    ...smsApi,
    name: 'reference-api',
    imports: (settings) => [
      DatabaseModule.forRoot(settings, 'reference-api', [
        ReferenceBalance,
        ReferenceLedgerEntry,
        ReferenceMessage,
        ReferenceOutboxRow,
      ]),
      AuthModule,
      ReferenceModule,
    ],
  },
  stopSignals,
);
