import { Inject, Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { balanceOf } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { DataSource } from 'typeorm';
import { MessagesRepository } from './messages.repository';
import type { Balance, DeliveryReport } from './records.dto';

@Injectable()
export class MessagesService {
  constructor(
    @Inject(MessagesRepository) private readonly messages: MessagesRepository,
    @Inject(WorkspaceDirectory) private readonly workspaces: WorkspaceDirectory,
    @Inject(DataSource) private readonly dataSource: DataSource,
  ) {}

  /** Throws NOT_FOUND, for another organization's send as for none. */
  async report(caller: Tenant, id: string): Promise<DeliveryReport> {
    const report = await this.messages.report(caller, id);
    if (!report) throw new AppError('NOT_FOUND', 'There is no send with this id. Use the id that the send answered.');
    return report;
  }

  /** Throws NOT_FOUND, and NOT_CANCELABLE for what is not scheduled, not any more, or about to leave. */
  async cancel(caller: Tenant, id: string, correlationId: string): Promise<DeliveryReport> {
    const canceled = await this.messages.cancel(caller, id, correlationId);
    const report = await this.report(caller, id);
    if (canceled) return report;
    throw new AppError(
      'NOT_CANCELABLE',
      `Only a scheduled send that has not left can be canceled; this one is ${report.status}.`,
    );
  }

  async balance(caller: Tenant): Promise<Balance> {
    const { id } = await this.workspaces.reading(caller);
    return { workspaceId: id, creditType: 'email', balance: await balanceOf(poolOf(this.dataSource), id, 'email') };
  }
}
