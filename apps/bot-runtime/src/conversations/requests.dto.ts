import { BOT_CHANNELS } from '@heliograph/bot-conversations';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_MESSAGE_LENGTH } from './requests';

const MESSAGE = { type: String, minLength: 1, maxLength: MAX_MESSAGE_LENGTH };
const CONTEXT = { type: String, description: 'Truncated to 2,000 characters' };

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
  @ApiPropertyOptional({ ...MESSAGE, description: 'The visitor’s first message; the response contains the reply' })
  message?: string;
  @ApiPropertyOptional({ type: ClientBody })
  client?: ClientBody;
}

export class ActionBody {
  @ApiProperty({ enum: ['faq', 'shortcut'] })
  type: string;
  @ApiProperty()
  id: string;
  @ApiPropertyOptional({ description: 'Command of a shortcut' })
  command?: string;
}

export class MessageBody {
  @ApiProperty(MESSAGE)
  message: string;
  @ApiPropertyOptional({
    type: ActionBody,
    description: 'The action of the selected quick reply or shortcut, unchanged',
  })
  action?: ActionBody;
}

export class SubmissionBody {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Values by the keys of the form’s fields' })
  answers: Record<string, unknown>;
}

export class FeedbackBody {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5 })
  rating: number;
  @ApiPropertyOptional({ type: String, maxLength: MAX_MESSAGE_LENGTH, nullable: true })
  message?: string | null;
}
