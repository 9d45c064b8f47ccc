import type { Uri } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { WidgetConfig } from '@heliograph/bot-widget';
import type { ErrorCode } from '@heliograph/errors';
import { FieldError, type FormFields } from '@heliograph/service-kit';
import { Allow } from 'class-validator';

export class WidgetConfigQuery {
  /** Public id of the bot. */
  @Allow()
  botId: string;

  /** `module` returns a JavaScript module for the loader instead of JSON. */
  @ApiProperty({ enum: ['module'] })
  @Allow()
  format?: string;
}

/** The widget configuration of a bot. */
export class WidgetConfigResponse implements WidgetConfig {
  ok: true;
  /** Public id of the bot. */
  botId: string;
  name: string;
  slug: string;
  /** Language of the bot as a BCP 47 tag. */
  locale: string;
  @ApiProperty({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })
  color: string;
  /** URL of the logo; absent if the bot has no logo. */
  logo?: Uri;
  welcome: string;
  /** Origin of the API that the widget calls. */
  apiBase: Uri;
  /** URL of the page in the widget's frame. */
  embedUrl: Uri;
}

/** The error body of the widget configuration. */
export class WidgetConfigRefusal {
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
