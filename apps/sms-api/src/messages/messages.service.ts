import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { balanceOf } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import type { Balance, StatusRecord } from './message-records.dto';
import { MessagesRepository } from './messages.repository';

@Injectable()
export class MessagesService {
  constructor(
    @Inject(MessagesRepository) private readonly messages: MessagesRepository,
    @Inject(WorkspaceDirectory) private readonly workspaces: WorkspaceDirectory,
    @Inject(DataSource) private readonly dataSource: DataSource,
  ) {}

  /** Throws NOT_FOUND, for another organization's message as for none. */
  async status(caller: Tenant, id: string): Promise<StatusRecord> {
    const message = await this.messages.find(caller, id);
    if (!message)
      throw new AppError('NOT_FOUND', 'There is no message with this id. Use the messageId that the send answered.');
    return message;
  }

  /** Throws NOT_FOUND, and NOT_CANCELABLE for what is not scheduled, not any more, or about to leave. */
  async cancel(caller: Tenant, id: string, correlationId: string): Promise<StatusRecord> {
    const canceled = await this.messages.cancel(caller, id, correlationId);
    if (canceled) return canceled;
    const { status } = await this.status(caller, id);
    throw new AppError(
      'NOT_CANCELABLE',
      `Only a scheduled message that has not left can be canceled; this one is ${status}.`,
    );
  }

  async balance(caller: Tenant): Promise<Balance> {
    const { id } = await this.workspaces.reading(caller);
    return { workspaceId: id, creditType: 'sms', balance: await balanceOf(poolOf(this.dataSource), id, 'sms') };
  }
}
