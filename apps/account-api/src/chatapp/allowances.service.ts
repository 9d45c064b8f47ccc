import { Inject, Injectable } from '@nestjs/common';
import { ChatappCatalogService, type ChatappAllowance } from '@heliograph/chatapp-catalog';
import { given, type Page, type PageOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { Writes, type WriteCall } from '../writes/writes.service';
import {
  ChatappAllowanceRecord,
  type ChangeChatappAllowanceRequest,
  type ChatappAllowanceQuery,
  type CreateChatappAllowanceRequest,
} from './allowances.dto';
import { recordRule } from './record-rule';
import { withMoment } from './with-moment';

/** Which chat-app messages are free, on the record. */
@Injectable()
export class ChatappAllowancesService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ChatappCatalogService) private readonly catalog: ChatappCatalogService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  list(page: Page, { category }: ChatappAllowanceQuery): Promise<PageOf<ChatappAllowance>> {
    return this.catalog.listAllowances(this.dataSource.manager, page, given({ category }));
  }

  create(call: WriteCall, asked: CreateChatappAllowanceRequest): Promise<ChatappAllowanceRecord> {
    return this.writes.run(call, async (open) => {
      const after = ChatappAllowanceRecord.of(await this.catalog.createAllowance(open.transaction, withMoment(asked)));
      await recordRule(open, ['allowance', 'created'], { before: null, after });
      return after;
    });
  }

  change(call: WriteCall, id: string, asked: ChangeChatappAllowanceRequest): Promise<ChatappAllowanceRecord> {
    return this.writes.run(call, async (open) => {
      const changed = await this.catalog.changeAllowance(open.transaction, id, withMoment(asked));
      const after = ChatappAllowanceRecord.of(changed.after);
      await recordRule(open, ['allowance', 'changed'], { before: ChatappAllowanceRecord.of(changed.before), after });
      return after;
    });
  }

  remove(call: WriteCall, id: string): Promise<ChatappAllowanceRecord> {
    return this.writes.run(call, async (open) => {
      const before = ChatappAllowanceRecord.of(await this.catalog.removeAllowance(open.transaction, id));
      await recordRule(open, ['allowance', 'removed'], { before, after: null });
      return before;
    });
  }
}
