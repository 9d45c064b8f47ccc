import { Injectable } from '@nestjs/common';
import type { Changed } from '@heliograph/database';
import type { EntityManager } from 'typeorm';
import { ChatappSendingSwitch } from './sending-switch.entity';

/** State of the switch. Null: not set, so the configuration of the service decides. */
export type SwitchState = Pick<ChatappSendingSwitch, 'isEnabled' | 'updatedAt'> | null;

const ONLY_ROW = { id: 1 };

/** The operator's switch, which enables or disables all sends and overrides the configuration. */
@Injectable()
export class ChatappSending {
  async get(transaction: EntityManager): Promise<SwitchState> {
    return transaction.getRepository(ChatappSendingSwitch).findOneBy(ONLY_ROW);
  }

  /** Null removes the override. */
  async set(transaction: EntityManager, isEnabled: boolean | null): Promise<Changed<SwitchState>> {
    const switches = transaction.getRepository(ChatappSendingSwitch);
    const before = await this.get(transaction);
    if (isEnabled === null) await switches.delete(ONLY_ROW);
    else await switches.upsert({ ...ONLY_ROW, isEnabled, updatedAt: new Date() }, ['id']);
    return { before, after: await this.get(transaction) };
  }
}
