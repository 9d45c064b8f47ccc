import { Injectable } from '@nestjs/common';
import type { Tenant } from '@heliograph/auth';
import { balanceOf } from '@heliograph/credits';
import { AppError } from '@heliograph/errors';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import { Pool } from 'pg';

import { MessagesRepository } from './messages.repository';
import type { Balance, DeliveryReport } from './records.dto';

@Injectable()
export class MessagesService {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly workspaces: WorkspaceDirectory,
    private readonly pool: Pool,
  ) {}

  /** Throws NOT_FOUND, also for sends of another organization. */
  async report(caller: Tenant, id: string): Promise<DeliveryReport> {
    const report = await this.messages.report(caller, id);
    if (!report)
      throw new AppError('NOT_FOUND', 'There is no send with this id. Use the id returned by the send request.');
    return report;
  }

  /** Throws NOT_FOUND, or NOT_CANCELABLE if the send is not scheduled or has already started. */
  async cancel(caller: Tenant, id: string, correlationId: string): Promise<DeliveryReport> {
    const canceled = await this.messages.cancel(caller, id, correlationId);
    const report = await this.report(caller, id);
    if (canceled) return report;
    throw new AppError(
      'NOT_CANCELABLE',
      `Only a scheduled send that has not started can be canceled; this send is ${report.status}.`,
    );
  }

  async balance(caller: Tenant): Promise<Balance> {
    const { id } = await this.workspaces.reading(caller);
    return { workspaceId: id, creditType: 'email', balance: await balanceOf(this.pool, id, 'email') };
  }
}
