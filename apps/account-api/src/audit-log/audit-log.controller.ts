import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../access/access.decorators';
import { CurrentCaller, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { nextCursor, pageOf, ValidatedQuery } from '../http/query';
import { AuditLogPage, AuditQuery, AuditRecord } from './audit-log.dto';
import { AuditLogService } from './audit-log.service';

@ApiTags('Audit log')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/organization/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @RequirePermission('audit:read')
  @ApiOperation({ operationId: 'listAuditLog', summary: 'List audit log entries, newest first' })
  @ApiData(AuditLogPage)
  @ApiErrors('VALIDATION_ERROR', 'INVALID_REQUEST')
  async list(
    @CurrentCaller() { organizationId }: Caller,
    @ValidatedQuery(AuditQuery) query: AuditQuery,
  ): Promise<AuditLogPage> {
    const { items, next } = await this.log.list(organizationId, query, pageOf(query));
    return { entries: items.map((entry) => AuditRecord.of(entry)), ...nextCursor(next) };
  }
}
