import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { WidgetConfig } from '@heliograph/bot-widget';
import type { ErrorCode } from '@heliograph/errors';
import { FieldError, type FormFields } from '@heliograph/service-kit';
import { Allow } from 'class-validator';

export class WidgetConfigQuery {
  @ApiProperty({ description: 'Public id of the bot' })
  @Allow()
  botId: string;

  @ApiPropertyOptional({
    enum: ['module'],
    description: '`module` returns a JavaScript module for the loader instead of JSON',
  })
  @Allow()
  format?: string;
}

/** The widget configuration of a bot. */
export class WidgetConfigResponse implements WidgetConfig {
  @ApiProperty({ enum: [true] })
  ok: true;
  @ApiProperty({ description: 'Public id of the bot' })
  botId: string;
  @ApiProperty()
  name: string;
  @ApiProperty()
  slug: string;
  @ApiProperty({ description: 'Language of the bot as a BCP 47 tag' })
  locale: string;
  @ApiProperty({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })
  color: string;
  @ApiPropertyOptional({ format: 'uri', description: 'URL of the logo; absent if the bot has no logo' })
  logo?: string;
  @ApiProperty()
  welcome: string;
  @ApiProperty({ format: 'uri', description: 'Origin of the API that the widget calls' })
  apiBase: string;
  @ApiProperty({ format: 'uri', description: "URL of the page in the widget's frame" })
  embedUrl: string;
}

/** The error body of the widget configuration. */
export class WidgetConfigRefusal {
  @ApiProperty({ enum: [false] })
  ok: false;
  @ApiProperty({ enum: ['BOT_UNAVAILABLE', 'INVALID_REQUEST', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] })
  code: ErrorCode;
}

export function normalizeWidgetConfigQuery(fields: FormFields): WidgetConfigQuery {
  const [botId = '', ...botIds] = fields.get('botId') ?? [];
  const [format = '', ...formats] = fields.get('format') ?? [];
  if (botIds.length + formats.length > 0) throw new FieldError('REPEATED', 'Send each parameter once.');
  return { botId, format };
}
