import { Injectable } from '@nestjs/common';
import { ChatappSending } from '@heliograph/chatapp-catalog';
import { DataSource } from 'typeorm';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { ChatappSendingRecord } from './sending.dto';

/** Switches all chat-app sending on or off; each write is audited. */
@Injectable()
export class ChatappSendingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sending: ChatappSending,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(): Promise<ChatappSendingRecord> {
    return ChatappSendingRecord.of(await this.sending.get(this.dataSource.manager));
  }

  /** Null removes the override, so that the configuration applies. */
  set(write: WriteRequest, enabled: boolean | null): Promise<ChatappSendingRecord> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const changed = await this.sending.set(transaction, enabled);
      const after = ChatappSendingRecord.of(changed.after);
      await audit({
        organizationId: null,
        action: 'chatapp.sending.switched',
        target: { type: 'chatapp.sending', id: 'sending' },
        before: ChatappSendingRecord.of(changed.before),
        after,
      });
      return after;
    });
  }
}
