import { Injectable } from '@nestjs/common';
import { listWrites, type AuditEntry } from '@heliograph/audit';
import { isId, type Page, type PageOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import type { AuditQuery } from './audit-log.dto';

/** Reads the audit log of an organization. */
@Injectable()
export class AuditLogService {
  constructor(private readonly dataSource: DataSource) {}

  async list(organizationId: string, query: AuditQuery, page: Page): Promise<PageOf<AuditEntry>> {
    const { action, actorId, targetId, from, to } = query;
    // A malformed id cannot exist, so the result is empty.
    if (actorId !== undefined && !isId(actorId)) return { items: [], next: null };
    const filter = { action, actorId, targetId, from: toDate(from), to: toDate(to) };
    return listWrites(this.dataSource.manager, organizationId, filter, page);
  }
}

function toDate(moment: string | undefined): Date | undefined {
  return moment === undefined ? undefined : new Date(moment);
}
