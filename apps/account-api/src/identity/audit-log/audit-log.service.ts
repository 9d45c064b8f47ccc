import { Injectable } from '@nestjs/common';
import { listWrites } from '@heliograph/tenancy';
import { isId } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { pageOf } from '@heliograph/service-kit';
import { toDate } from '../../http/timestamps';
import { AuditLogPage, type AuditQuery } from './audit-log.dto';

/** Reads the audit log of an organization. */
@Injectable()
export class AuditLogService {
  constructor(private readonly dataSource: DataSource) {}

  async list(organizationId: string, query: AuditQuery): Promise<AuditLogPage> {
    const { action, actorId, targetId, from, to } = query;
    // A malformed id cannot exist, so the result is empty.
    if (actorId !== undefined && !isId(actorId)) return AuditLogPage.of({ items: [], next: null });
    const filter = { action, actorId, targetId, from: toDate(from), to: toDate(to) };
    return AuditLogPage.of(await listWrites(this.dataSource.manager, organizationId, filter, pageOf(query)));
  }
}
