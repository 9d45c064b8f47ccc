import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { AuditLogPage, AuditQuery } from './audit-log.dto';
import { AuditLogService } from './audit-log.service';
import { AccountOperation } from '../../http/envelope';

@ApiTags('Audit log')
@Controller('api/organization/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @RequirePermission('audit:read')
  @AccountOperation({
    id: 'listAuditLog',
    summary: 'List audit log entries, newest first',
    description:
      'Every change by a user, an API key or the operator is an entry with the values after it. Filters can be combined.',
    response: AuditLogPage,
  })
  list(@CurrentCaller() { organizationId }: Caller, @Query() query: AuditQuery): Promise<AuditLogPage> {
    return this.log.list(organizationId, query);
  }
}
