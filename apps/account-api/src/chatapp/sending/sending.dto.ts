import { ApiProperty } from '@nestjs/swagger';
import type { SwitchState } from '@heliograph/chatapp-catalog';
import { One } from '../../http/answers';
import { IsTrueOrFalse } from '../../http/rules';

const DECIDERS = ['operator', 'setting'] as const;

export class ChatappSendingRecord {
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description:
      'Override by the operator; `null` if `CHATAPP_SENDING_ENABLED` in the configuration of chatapp-api applies',
  })
  enabled: boolean | null;
  @ApiProperty({ enum: DECIDERS })
  setBy: (typeof DECIDERS)[number];
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Time at which the operator set the override',
  })
  updatedAt: string | null;

  static of(state: SwitchState): ChatappSendingRecord {
    if (state === null) return { enabled: null, setBy: 'setting', updatedAt: null };
    return { enabled: state.isEnabled, setBy: 'operator', updatedAt: state.updatedAt.toISOString() };
  }
}

export class OneChatappSending extends One('sending', ChatappSendingRecord) {}

export class SetChatappSendingRequest {
  @ApiProperty({
    description: 'If `false`, every send fails with `CHATAPP_DISABLED`. A change takes effect within one second',
  })
  @IsTrueOrFalse()
  enabled: boolean;
}
