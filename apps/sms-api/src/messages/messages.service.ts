import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { balanceOf } from '@heliograph/credits';
import { AppError } from '@heliograph/errors';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { Pool } from 'pg';

import type { Balance, StatusRecord } from './message-records.dto';
import { MessagesRepository } from './messages.repository';

@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly workspaces: WorkspaceDirectory,
    private readonly pool: Pool,
  ) {}

  /** Throws NOT_FOUND, also for messages of another organization. */
  async status(caller: Tenant, id: string): Promise<StatusRecord> {
    const message = await this.messages.find(caller, id);
    if (!message)
      throw new AppError(
        'NOT_FOUND',
        'There is no message with this id. Use the messageId returned by the send request.',
      );
    return message;
  }

  /** Throws NOT_FOUND, or NOT_CANCELABLE if the message is not scheduled or is already being sent. */
  async cancel(caller: Tenant, id: string, correlationId: string): Promise<StatusRecord> {
    const canceled = await this.messages.cancel(caller, id, correlationId);
    if (canceled) return canceled;
    const { status } = await this.status(caller, id);
    throw new AppError(
      'NOT_CANCELABLE',
      `Only a scheduled message that has not been sent can be canceled; this message is ${status}.`,
    );
  }

  async balance(caller: Tenant): Promise<Balance> {
    const { id } = await this.workspaces.reading(caller);
    return { workspaceId: id, creditType: 'sms', balance: await balanceOf(this.pool, id, 'sms') };
  }
}
