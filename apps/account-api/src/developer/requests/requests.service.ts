import { Injectable } from '@nestjs/common';
import { RequestLogRepository } from '@heliograph/auth';
import { isId } from '@heliograph/database';
import { pageOf, parseScheduledAt, v1List, v1NotFound, type V1List } from '@heliograph/service-kit';
import type { Caller } from '../../access/caller';
import { V1LoggedRequest, V1LoggedRequestDetails, type V1RequestsQuery } from './requests.dto';

/** Reads the request log of an organization. A key that is bound to a workspace sees only the calls of this workspace. */
@Injectable()
export class RequestsService {
  constructor(private readonly log: RequestLogRepository) {}

  async list({ organizationId, boundWorkspaceId }: Caller, query: V1RequestsQuery): Promise<V1List<V1LoggedRequest>> {
    const { key_id: keyId = null, workspace_id: chosen = null } = query;
    const workspaceId = chosen ?? boundWorkspaceId;
    const isForeign = boundWorkspaceId !== null && workspaceId !== boundWorkspaceId;
    // A malformed id cannot exist, so the result is empty.
    if (isForeign || [keyId, workspaceId].some((id) => id !== null && !isId(id))) return { data: [] };
    const { request_id: requestId = null, method = null, path = null, status, error = null, result } = query;
    const filter = {
      requestId,
      keyId,
      workspaceId,
      method,
      path,
      status: status === undefined ? null : Number(status),
      error,
      hasError: result === undefined ? null : result === 'error',
      from: instantOf(query.from),
      until: instantOf(query.until),
    };
    return v1List(await this.log.list(organizationId, filter, pageOf(query)), V1LoggedRequest.of);
  }

  /** Throws NOT_FOUND. */
  async read({ organizationId, boundWorkspaceId }: Caller, id: string): Promise<V1LoggedRequestDetails> {
    const request = await this.log.read(organizationId, id);
    const isVisible = boundWorkspaceId === null || request?.workspaceId === boundWorkspaceId;
    if (!request || !isVisible) throw v1NotFound('logged request');
    return V1LoggedRequestDetails.of(request);
  }
}

function instantOf(text: string | undefined): Date | null {
  return text === undefined ? null : (parseScheduledAt(text)?.date ?? null);
}
