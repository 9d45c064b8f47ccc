import { Injectable } from '@nestjs/common';
import { ChatappCatalogService, type ChatappAllowance } from '@heliograph/chatapp-catalog';
import { given, type Page, type PageOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  ChatappAllowanceRecord,
  type ChangeChatappAllowanceRequest,
  type ChatappAllowanceQuery,
  type CreateChatappAllowanceRequest,
} from './allowances.dto';
import { auditRule } from './audit-rule';
import { withTimestamp } from './with-timestamp';

/** Manages the allowances of free chat-app messages; each write is audited. */
@Injectable()
export class ChatappAllowancesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: ChatappCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(page: Page, { category }: ChatappAllowanceQuery): Promise<PageOf<ChatappAllowance>> {
    return this.catalog.listAllowances(this.dataSource.manager, page, given({ category }));
  }

  create(write: WriteRequest, body: CreateChatappAllowanceRequest): Promise<ChatappAllowanceRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const after = ChatappAllowanceRecord.of(
        await this.catalog.createAllowance(work.transaction, withTimestamp(body)),
      );
      await auditRule(work, ['allowance', 'created'], { before: null, after });
      return after;
    });
  }

  update(write: WriteRequest, id: string, body: ChangeChatappAllowanceRequest): Promise<ChatappAllowanceRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const changed = await this.catalog.changeAllowance(work.transaction, id, withTimestamp(body));
      const after = ChatappAllowanceRecord.of(changed.after);
      await auditRule(work, ['allowance', 'changed'], { before: ChatappAllowanceRecord.of(changed.before), after });
      return after;
    });
  }

  remove(write: WriteRequest, id: string): Promise<ChatappAllowanceRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const before = ChatappAllowanceRecord.of(await this.catalog.removeAllowance(work.transaction, id));
      await auditRule(work, ['allowance', 'removed'], { before, after: null });
      return before;
    });
  }
}
