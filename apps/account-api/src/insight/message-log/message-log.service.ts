import { Injectable } from '@nestjs/common';
import { pageOf, parseScheduledAt, v1List, v1NotFound, type V1List } from '@heliograph/service-kit';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import type { Caller } from '../../access/caller';
import { MessageLogRepository } from './message-log.repository';
import type { V1LoggedMessage, V1LoggedMessageDetails, V1MessageLogQuery } from './message-log.dto';

/** The messages of all channels of an organization. A key that is bound to a workspace sees only those of this workspace. */
@Injectable()
export class MessageLogService {
  constructor(
    private readonly messages: MessageLogRepository,
    private readonly workspaces: WorkspaceDirectory,
  ) {}

  /** Throws NOT_FOUND for a workspace that the caller cannot use. */
  async list(caller: Caller, query: V1MessageLogQuery): Promise<V1List<V1LoggedMessage>> {
    const { organizationId, boundWorkspaceId } = caller;
    const { campaign_id: campaignId, workspace_id: named, from, until, channel, status, direction } = query;
    const { to, sender, template, reference } = query;
    const filter = {
      channel,
      status,
      direction,
      to,
      sender,
      template,
      campaignId,
      reference,
      from: instantOf(from),
      until: instantOf(until),
      workspaceId: await this.workspaces.chosen({ organizationId, workspaceId: boundWorkspaceId }, named),
    };
    return v1List(await this.messages.list(organizationId, filter, pageOf(query)), (message) => message);
  }

  /** Throws NOT_FOUND. */
  async read({ organizationId, boundWorkspaceId }: Caller, id: string): Promise<V1LoggedMessageDetails> {
    const message = await this.messages.details(organizationId, boundWorkspaceId, id);
    if (!message) throw v1NotFound('message');
    return message;
  }
}

function instantOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseScheduledAt(text)?.date;
}
