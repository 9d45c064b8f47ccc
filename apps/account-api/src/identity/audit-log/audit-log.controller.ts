import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { ApiData } from '../../http/envelope';
import { AuditLogPage, AuditQuery } from './audit-log.dto';
import { AuditLogService } from './audit-log.service';

@ApiTags('Audit log')
@Controller('api/organization/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @RequirePermission('audit:read')
  @ApiOperation({ operationId: 'listAuditLog', summary: 'List audit log entries, newest first' })
  @ApiData(AuditLogPage)
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: AuditQuery): Promise<AuditLogPage> {
    return this.log.list(organizationId, query);
  }
}
