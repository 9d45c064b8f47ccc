import { BOT_CHANNELS } from '@heliograph/bot-conversations';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_MESSAGE_LENGTH } from './requests';

const MESSAGE = { type: String, minLength: 1, maxLength: MAX_MESSAGE_LENGTH };
const CONTEXT = { type: String, description: 'Cut at 2,000 characters' };

export class ClientBody {
  @ApiPropertyOptional(CONTEXT)
  platform?: string;
  @ApiPropertyOptional(CONTEXT)
  pageUrl?: string;
  @ApiPropertyOptional(CONTEXT)
  referrer?: string;
  @ApiPropertyOptional(CONTEXT)
  language?: string;
}

export class StartBody {
  @ApiProperty({ description: 'Public id of the bot' })
  botId: string;
  @ApiPropertyOptional({ enum: BOT_CHANNELS, default: 'web' })
  channel?: string;
  @ApiPropertyOptional({ ...MESSAGE, description: 'What the visitor says first; the answer holds the reply' })
  message?: string;
  @ApiPropertyOptional({ type: ClientBody })
  client?: ClientBody;
}

export class ActionBody {
  @ApiProperty({ enum: ['faq', 'shortcut'] })
  type: string;
  @ApiProperty()
  id: string;
  @ApiPropertyOptional({ description: 'Of a shortcut' })
  command?: string;
}

export class MessageBody {
  @ApiProperty(MESSAGE)
  message: string;
  @ApiPropertyOptional({ type: ActionBody, description: 'Of the quick reply or shortcut that was picked, as it came' })
  action?: ActionBody;
}

export class SubmissionBody {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'By the keys of the form’s fields' })
  answers: Record<string, unknown>;
}

export class FeedbackBody {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5 })
  rating: number;
  @ApiPropertyOptional({ type: String, maxLength: MAX_MESSAGE_LENGTH, nullable: true })
  message?: string | null;
}
