import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { InOrganization } from '../access/access.decorators';
import { ByCaller, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { nextCursor, pageOf, QueryOf } from '../http/query';
import { AuditLogPage, AuditQuery, AuditRecord } from './audit-log.dto';
import { AuditLogService } from './audit-log.service';

@ApiTags('Audit log')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/organization/audit-log')
export class AuditLogController {
  constructor(@Inject(AuditLogService) private readonly log: AuditLogService) {}

  @Get()
  @InOrganization('audit:read')
  @ApiOperation({ operationId: 'listAuditLog', summary: 'Who wrote what, from where; newest first' })
  @Answers(AuditLogPage)
  @RefusesWith('VALIDATION_ERROR', 'INVALID_REQUEST')
  async list(@ByCaller() { organizationId }: Caller, @QueryOf(AuditQuery) query: AuditQuery): Promise<AuditLogPage> {
    const { items, next } = await this.log.list(organizationId, query, pageOf(query));
    return { entries: items.map((entry) => AuditRecord.of(entry)), ...nextCursor(next) };
  }
}
