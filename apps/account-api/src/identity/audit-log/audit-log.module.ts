import { Module } from '@nestjs/common';
import { AuditLogController } from './audit-log.controller';
import { AuditLogService } from './audit-log.service';
import { AuditRetentionService } from './audit-retention.service';

@Module({ controllers: [AuditLogController], providers: [AuditLogService, AuditRetentionService] })
export class AuditLogModule {}
