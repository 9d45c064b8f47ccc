import { Injectable } from '@nestjs/common';
import { ChatappCatalogService, type ChatappPrice } from '@heliograph/chatapp-catalog';
import { given } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import { toDate } from '../../../http/timestamps';
import {
  ChatappPricePage,
  ChatappPriceRecord,
  OneChatappPrice,
  type ChangeChatappPriceRequest,
  type ChatappPriceQuery,
  type CreateChatappPriceRequest,
} from './prices.dto';

const PRICE = {
  kind: new AuditedKind<ChatappPrice>(
    'chatapp.price',
    ({ id }) => ({ id, organizationId: null }),
    ChatappPriceRecord.of,
  ),
  answer: OneChatappPrice.of,
};

/** Manages the prices of chat-app messages; each write is audited. */
@Injectable()
export class ChatappPricesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: ChatappCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(query: ChatappPriceQuery): Promise<ChatappPricePage> {
    const { country, category } = query;
    return ChatappPricePage.of(
      await this.catalog.listPrices(this.dataSource.manager, pageOf(query), given({ country, category })),
    );
  }

  create(write: Write, { validFrom, ...details }: CreateChatappPriceRequest): Promise<OneChatappPrice> {
    return this.unitOfWork.change(write, { ...PRICE, done: 'created' }, async (transaction) => ({
      after: await this.catalog.createPrice(transaction, { ...details, ...given({ validFrom: toDate(validFrom) }) }),
    }));
  }

  update(write: Write, id: string, { validFrom, ...changes }: ChangeChatappPriceRequest): Promise<OneChatappPrice> {
    return this.unitOfWork.change(write, { ...PRICE, done: 'changed' }, (transaction) =>
      this.catalog.changePrice(transaction, id, { ...changes, ...given({ validFrom: toDate(validFrom) }) }),
    );
  }

  remove(write: Write, id: string): Promise<OneChatappPrice> {
    return this.unitOfWork.change(write, { ...PRICE, done: 'removed' }, async (transaction) => ({
      before: await this.catalog.removePrice(transaction, id),
    }));
  }
}
