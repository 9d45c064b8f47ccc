import { Inject, Injectable } from '@nestjs/common';
import { ChatappSending } from '@heliograph/chatapp-catalog';
import { DataSource } from 'typeorm';
import { Writes, type WriteCall } from '../writes/writes.service';
import { ChatappSendingRecord } from './sending.dto';

/** The switch that stops all chat-app sends, on the record. */
@Injectable()
export class ChatappSendingService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ChatappSending) private readonly sending: ChatappSending,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  async get(): Promise<ChatappSendingRecord> {
    return ChatappSendingRecord.of(await this.sending.get(this.dataSource.manager));
  }

  /** Null gives the decision back to the setting. */
  set(call: WriteCall, enabled: boolean | null): Promise<ChatappSendingRecord> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const changed = await this.sending.set(transaction, enabled);
      const after = ChatappSendingRecord.of(changed.after);
      await record({
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
