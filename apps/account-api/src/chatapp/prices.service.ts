import { Inject, Injectable } from '@nestjs/common';
import { ChatappCatalogService, type ChatappPrice } from '@heliograph/chatapp-catalog';
import { given, type Page, type PageOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { Writes, type WriteCall } from '../writes/writes.service';
import {
  ChatappPriceRecord,
  type ChangeChatappPriceRequest,
  type ChatappPriceQuery,
  type CreateChatappPriceRequest,
} from './prices.dto';
import { recordRule } from './record-rule';
import { withMoment } from './with-moment';

/** What a chat-app message costs, on the record. */
@Injectable()
export class ChatappPricesService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ChatappCatalogService) private readonly catalog: ChatappCatalogService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  list(page: Page, { country, category }: ChatappPriceQuery): Promise<PageOf<ChatappPrice>> {
    return this.catalog.listPrices(this.dataSource.manager, page, given({ country, category }));
  }

  create(call: WriteCall, asked: CreateChatappPriceRequest): Promise<ChatappPriceRecord> {
    return this.writes.run(call, async (open) => {
      const after = ChatappPriceRecord.of(await this.catalog.createPrice(open.transaction, withMoment(asked)));
      await recordRule(open, ['price', 'created'], { before: null, after });
      return after;
    });
  }

  change(call: WriteCall, id: string, asked: ChangeChatappPriceRequest): Promise<ChatappPriceRecord> {
    return this.writes.run(call, async (open) => {
      const changed = await this.catalog.changePrice(open.transaction, id, withMoment(asked));
      const after = ChatappPriceRecord.of(changed.after);
      await recordRule(open, ['price', 'changed'], { before: ChatappPriceRecord.of(changed.before), after });
      return after;
    });
  }

  remove(call: WriteCall, id: string): Promise<ChatappPriceRecord> {
    return this.writes.run(call, async (open) => {
      const before = ChatappPriceRecord.of(await this.catalog.removePrice(open.transaction, id));
      await recordRule(open, ['price', 'removed'], { before, after: null });
      return before;
    });
  }
}
