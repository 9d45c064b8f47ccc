import { ApiProperty } from '@nestjs/swagger';
import type { SwitchState } from '@heliograph/chatapp-catalog';
import { IsFlag } from '../http/rules';

const DECIDERS = ['operator', 'setting'] as const;

export class ChatappSendingRecord {
  @ApiProperty({
    ...{ type: Boolean, nullable: true },
    description: 'Null: what the setting CHATAPP_SENDING_ENABLED of chatapp-api says',
  })
  enabled: boolean | null;
  @ApiProperty({ enum: DECIDERS })
  setBy: (typeof DECIDERS)[number];
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When the operator turned it' })
  updatedAt: string | null;

  static of(state: SwitchState): ChatappSendingRecord {
    if (state === null) return { enabled: null, setBy: 'setting', updatedAt: null };
    return { enabled: state.isEnabled, setBy: 'operator', updatedAt: state.updatedAt.toISOString() };
  }
}

export class OneChatappSending {
  @ApiProperty()
  sending: ChatappSendingRecord;
}

export class SetChatappSendingRequest {
  @ApiProperty({ description: 'False: every send is refused with CHATAPP_DISABLED, within a second' })
  @IsFlag()
  enabled: boolean;
}
