import { Injectable } from '@nestjs/common';
import { ChatappCatalogService, type ChatappAllowance } from '@heliograph/chatapp-catalog';
import { given } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import { toDate } from '../../../http/timestamps';
import {
  ChatappAllowancePage,
  ChatappAllowanceRecord,
  OneChatappAllowance,
  type ChangeChatappAllowanceRequest,
  type ChatappAllowanceQuery,
  type CreateChatappAllowanceRequest,
} from './allowances.dto';

const ALLOWANCE = {
  kind: new AuditedKind<ChatappAllowance>(
    'chatapp.allowance',
    ({ id }) => ({ id, organizationId: null }),
    ChatappAllowanceRecord.of,
  ),
  answer: OneChatappAllowance.of,
};

/** Manages the allowances of free chat-app messages; each write is audited. */
@Injectable()
export class ChatappAllowancesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: ChatappCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(query: ChatappAllowanceQuery): Promise<ChatappAllowancePage> {
    const { category } = query;
    return ChatappAllowancePage.of(
      await this.catalog.listAllowances(this.dataSource.manager, pageOf(query), given({ category })),
    );
  }

  create(write: Write, { validFrom, ...details }: CreateChatappAllowanceRequest): Promise<OneChatappAllowance> {
    return this.unitOfWork.change(write, { ...ALLOWANCE, done: 'created' }, async (transaction) => ({
      after: await this.catalog.createAllowance(transaction, {
        ...details,
        ...given({ validFrom: toDate(validFrom) }),
      }),
    }));
  }

  update(
    write: Write,
    id: string,
    { validFrom, ...changes }: ChangeChatappAllowanceRequest,
  ): Promise<OneChatappAllowance> {
    return this.unitOfWork.change(write, { ...ALLOWANCE, done: 'changed' }, (transaction) =>
      this.catalog.changeAllowance(transaction, id, { ...changes, ...given({ validFrom: toDate(validFrom) }) }),
    );
  }

  remove(write: Write, id: string): Promise<OneChatappAllowance> {
    return this.unitOfWork.change(write, { ...ALLOWANCE, done: 'removed' }, async (transaction) => ({
      before: await this.catalog.removeAllowance(transaction, id),
    }));
  }
}
