import { Injectable } from '@nestjs/common';
import { ChatappSending } from '@heliograph/chatapp-catalog';
import { DataSource } from 'typeorm';
import { AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { ChatappSendingRecord, OneChatappSending } from './sending.dto';

const SWITCHED = {
  kind: new AuditedKind<ChatappSendingRecord>(
    'chatapp.sending',
    () => ({ id: 'sending', organizationId: null }),
    (sending) => sending,
  ),
  done: 'switched',
  answer: (sending: ChatappSendingRecord): OneChatappSending => ({ sending }),
};

/** Switches all chat-app sending on or off; each write is audited. */
@Injectable()
export class ChatappSendingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sending: ChatappSending,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(): Promise<OneChatappSending> {
    return OneChatappSending.of(await this.sending.get(this.dataSource.manager));
  }

  /** Sets the override; null removes it, so that the configuration applies. */
  set(write: Write, enabled: boolean | null): Promise<OneChatappSending> {
    return this.unitOfWork.change(write, SWITCHED, async (transaction) => {
      const { before, after } = await this.sending.set(transaction, enabled);
      return { before: ChatappSendingRecord.of(before), after: ChatappSendingRecord.of(after) };
    });
  }
}
