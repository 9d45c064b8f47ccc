import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { WidgetConfig } from '@heliograph/bot-widget';

/** The widget configuration of a bot. */
export class WidgetConfigAnswer implements WidgetConfig {
  @ApiProperty({ enum: [true] })
  ok: true;
  @ApiProperty({ description: 'Public id of the bot' })
  botId: string;
  @ApiProperty()
  name: string;
  @ApiProperty()
  slug: string;
  @ApiProperty({ description: 'BCP 47' })
  locale: string;
  @ApiProperty({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })
  color: string;
  @ApiPropertyOptional({ format: 'uri', description: 'Absent if there is none' })
  logo?: string;
  @ApiProperty()
  welcome: string;
  @ApiProperty({ format: 'uri', description: 'Origin of the API' })
  apiBase: string;
  @ApiProperty({ format: 'uri', description: "URL of the page in the widget's frame" })
  embedUrl: string;
}

export class WidgetConfigRefusal {
  @ApiProperty({ enum: [false] })
  ok: false;
  @ApiProperty({ enum: ['BOT_UNAVAILABLE', 'INVALID_REQUEST'] })
  code: 'BOT_UNAVAILABLE' | 'INVALID_REQUEST';
}
