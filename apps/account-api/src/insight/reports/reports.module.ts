import { Module } from '@nestjs/common';
import { CONFIG } from '@heliograph/service-kit';
import { TenancyModule } from '@heliograph/tenancy';
import type { AccountApiConfig } from '../../account-api.config';
import { ReportLeases } from './report-leases';
import { ReportRetention } from './report-retention';
import { ReportRunner } from './report-runner';
import { V1ReportsController } from './reports.controller';
import { ReportsRepository } from './reports.repository';
import { ReportsService } from './reports.service';
import { FolderStorage } from './storage/folder-storage';
import { REPORT_STORAGE, type ReportStorage } from './storage/report-storage';
import { S3Storage } from './storage/s3-storage';

/** Reports as files, which workers write. */
@Module({
  imports: [TenancyModule],
  controllers: [V1ReportsController],
  exports: [ReportRetention],
  providers: [
    ReportLeases,
    ReportRetention,
    ReportRunner,
    ReportsRepository,
    ReportsService,
    {
      provide: REPORT_STORAGE,
      inject: [CONFIG],
      useFactory: ({ REPORTS_S3_URL, REPORTS_DIR }: AccountApiConfig): ReportStorage =>
        REPORTS_S3_URL === undefined ? new FolderStorage(REPORTS_DIR) : new S3Storage(REPORTS_S3_URL),
    },
  ],
})
export class ReportsModule {}
