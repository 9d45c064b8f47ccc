import { Injectable } from '@nestjs/common';
import { ChatappCatalogService, type ChatappPrice } from '@heliograph/chatapp-catalog';
import { given, type Page, type PageOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  ChatappPriceRecord,
  type ChangeChatappPriceRequest,
  type ChatappPriceQuery,
  type CreateChatappPriceRequest,
} from './prices.dto';
import { auditRule } from './audit-rule';
import { withTimestamp } from './with-timestamp';

/** Manages the prices of chat-app messages; each write is audited. */
@Injectable()
export class ChatappPricesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: ChatappCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(page: Page, { country, category }: ChatappPriceQuery): Promise<PageOf<ChatappPrice>> {
    return this.catalog.listPrices(this.dataSource.manager, page, given({ country, category }));
  }

  create(write: WriteRequest, body: CreateChatappPriceRequest): Promise<ChatappPriceRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const after = ChatappPriceRecord.of(await this.catalog.createPrice(work.transaction, withTimestamp(body)));
      await auditRule(work, ['price', 'created'], { before: null, after });
      return after;
    });
  }

  update(write: WriteRequest, id: string, body: ChangeChatappPriceRequest): Promise<ChatappPriceRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const changed = await this.catalog.changePrice(work.transaction, id, withTimestamp(body));
      const after = ChatappPriceRecord.of(changed.after);
      await auditRule(work, ['price', 'changed'], { before: ChatappPriceRecord.of(changed.before), after });
      return after;
    });
  }

  remove(write: WriteRequest, id: string): Promise<ChatappPriceRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const before = ChatappPriceRecord.of(await this.catalog.removePrice(work.transaction, id));
      await auditRule(work, ['price', 'removed'], { before, after: null });
      return before;
    });
  }
}
