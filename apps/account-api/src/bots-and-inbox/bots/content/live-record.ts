import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { LiveItem } from '@heliograph/bot-catalog';
import { Optional, IsTrueOrFalse } from '../../../http/rules';

const enabledOf = { description: 'The bot uses the content only while it is enabled and published' } as const;

/** Properties that all kinds of content have. */
export class LiveRecord {
  @ApiProperty(enabledOf)
  enabled: boolean;
  @ApiProperty()
  published: boolean;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

export function liveRecord({ isEnabled, isPublished, createdAt, updatedAt }: LiveItem): LiveRecord {
  return {
    enabled: isEnabled,
    published: isPublished,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export class LiveRequest {
  @ApiPropertyOptional({ ...enabledOf, default: true })
  @Optional()
  @IsTrueOrFalse()
  enabled: boolean = true;
  @ApiPropertyOptional({ default: true })
  @Optional()
  @IsTrueOrFalse()
  published: boolean = true;
}

export const orderOf = { type: 'integer', minimum: -1_000_000, maximum: 1_000_000 } as const;
export const MAX_ORDER = 1_000_000;
export const MAX_ID_LENGTH = 100;
