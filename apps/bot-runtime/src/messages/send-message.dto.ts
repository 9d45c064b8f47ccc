import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isJsonObject, isStorableText, rule } from '@heliograph/service-kit';
import type { Action } from '../replies/reply';
import { IsMessage, MAX_MESSAGE_LENGTH } from './message-text';
import { MessageRecord, ReplyRecord } from './message.dto';

const IsAction = () =>
  rule(
    'isAction',
    'action must be {type: "faq", id} or {type: "shortcut", id, command}, as in a quick reply or shortcut.',
    isAction,
    'INVALID_ACTION',
  );

class ActionRequest {
  @ApiProperty({ enum: ['faq', 'shortcut'] })
  type: string;
  id: string;
  /** Command of the shortcut. Only for the type `shortcut`. */
  command?: string;
}

export class SendMessageRequest {
  @ApiProperty({ minLength: 1, maxLength: MAX_MESSAGE_LENGTH })
  @IsMessage()
  message: string;

  /** The unchanged action of the selected quick reply or shortcut. */
  @ApiProperty({ type: ActionRequest })
  @IsOptional()
  @IsAction()
  action?: Action | null;
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

/** Returns the action without unknown fields. */
export function knownAction(action: Action): Action {
  const { type, id } = action;
  return type === 'faq' ? { type, id } : { type, id, command: action.command };
}

function isAction(value: unknown): boolean {
  if (!isJsonObject(value) || !isStorableText(value['id'])) return false;
  const { type, command } = value;
  return type === 'faq' || (type === 'shortcut' && isStorableText(command));
}
