import type { Timestamp } from '@heliograph/contracts';
import type { SwitchState } from '@heliograph/chatapp-catalog';
import { One } from '../../../http/answers';
import { IsTrueOrFalse } from '../../../http/rules';

export class ChatappSendingRecord {
  /** Override by the operator; `null` if `CHATAPP_SENDING_ENABLED` in the configuration of chatapp-api applies. */
  enabled: boolean | null;
  setBy: 'operator' | 'setting';
  /** Time at which the operator set the override. */
  updatedAt: Timestamp | null;

  static of(state: SwitchState): ChatappSendingRecord {
    if (state === null) return { enabled: null, setBy: 'setting', updatedAt: null };
    return { enabled: state.isEnabled, setBy: 'operator', updatedAt: state.updatedAt.toISOString() };
  }
}

export class OneChatappSending extends One('sending', ChatappSendingRecord) {}

export class SetChatappSendingRequest {
  /** If `false`, every send fails with `CHATAPP_DISABLED`. A change takes effect within one second. */
  @IsTrueOrFalse()
  enabled: boolean;
}
