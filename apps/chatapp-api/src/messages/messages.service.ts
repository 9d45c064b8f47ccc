import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { balanceOf } from '@heliograph/credits';
import { isTestId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { Pool } from 'pg';

import { SendingSwitches } from '../switches/sending-switches';
import { Providers } from '../upstream/providers';
import { MessagesRepository } from './messages.repository';
import type { AccountRecord, Balance, Done, MessageLog, StatusRecord } from './records.dto';

const LOG_SIZE = 200;

@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly workspaces: WorkspaceDirectory,
    private readonly switches: SendingSwitches,
    private readonly providers: Providers,
    private readonly pool: Pool,
  ) {}

  /** Throws NOT_FOUND for an unknown message and for another organization's message. */
  async status(caller: Tenant, id: string): Promise<StatusRecord> {
    const status = await this.messages.status(caller, id);
    if (status) return status;
    throw new AppError('NOT_FOUND', 'Unknown message id. Use the id from the send response.');
  }

  async log(caller: Tenant): Promise<MessageLog> {
    const workspaces = await this.workspaces.all(caller);
    const ids = workspaces.map(({ id }) => id);
    return { messages: await this.messages.log(caller.organizationId, ids, LOG_SIZE) };
  }

  /** Throws NOT_FOUND unless the id is that of an inbound message of the organization. */
  async markRead(caller: Tenant, upstreamId: string): Promise<Done> {
    this.switches.assertConfigured(caller.organizationId);
    if (!(await this.messages.hasInbound(caller, upstreamId))) {
      throw new AppError('NOT_FOUND', 'Unknown inbound message id. GET /chatapp/messages lists the inbound messages.');
    }
    await this.providers.of(caller.organizationId).markRead(upstreamId);
    return { ok: true };
  }

  /** Throws NO_WORKSPACE if the organization has no workspace. */
  async account(caller: Tenant): Promise<AccountRecord> {
    const { workspaceId, creditType, balance } = await this.balance(caller);
    const isTest = isTestId(caller.organizationId);
    return {
      enabled: isTest || (await this.switches.isEnabled()),
      configured: isTest || this.switches.isConfigured,
      ownerType: 'platform',
      creditType,
      workspaceId,
      balance,
    };
  }

  /** Throws NO_WORKSPACE if the organization has no workspace. */
  async balance(caller: Tenant): Promise<Balance> {
    const { id } = await this.workspaces.reading(caller);
    return { workspaceId: id, creditType: 'chatapp', balance: await balanceOf(this.pool, id, 'chatapp') };
  }
}
