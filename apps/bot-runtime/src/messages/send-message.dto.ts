import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { isStorableText, rule, type RuleContext } from '@heliograph/service-kit';
import type { Action } from '../replies/reply';
import { IsMessage, MAX_MESSAGE_LENGTH } from './message-text';
import { MessageRecord, ReplyRecord } from './message.dto';

const ACTION = 'action must be {type: "faq", id} or {type: "shortcut", id, command}, as in a quick reply or shortcut.';
const IsPart = () => rule('isPart', ACTION, (value) => isStorableText(value));

class ActionRequest {
  @IsIn(['faq', 'shortcut'], { message: ACTION })
  type: 'faq' | 'shortcut';

  @IsPart()
  id: string;

  /** Command of the shortcut. Only for the type `shortcut`. */
  @ValidateIf(({ type }: ActionRequest) => type === 'shortcut')
  @IsPart()
  command?: string;
}

export class SendMessageRequest {
  @ApiProperty({ minLength: 1, maxLength: MAX_MESSAGE_LENGTH })
  @IsMessage()
  message: string;

  /** The unchanged action of the selected quick reply or shortcut. */
  @IsOptional()
  @ValidateNested({ message: ACTION, context: { code: 'INVALID_ACTION', isWhole: true } satisfies RuleContext })
  @Type(() => ActionRequest)
  action?: ActionRequest | null;
}

export class SendMessageResponse {
  userMessage: MessageRecord;
  /** Reply of the bot; `null` while an agent has taken over the conversation. */
  reply: ReplyRecord | null;
  /** True if an agent has taken over the conversation. */
  paused: boolean;
}

/** Converts an absent field to null, so that both forms have the same fingerprint. */
export const normalizeSendMessage = ({ message = null, action = null }: Record<string, unknown>): object => ({
  message,
  action,
});

export function actionOf({ type, id, command = '' }: ActionRequest): Action {
  return type === 'faq' ? { type, id } : { type, id, command };
}
