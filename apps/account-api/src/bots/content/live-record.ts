import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { LiveItem } from '@heliograph/bot-catalog';
import { IsFlag, MayBeAbsent } from '../../http/rules';

const enabledOf = { description: 'Visitors meet it while it is enabled and published' } as const;

/** What every piece of content says at its end. */
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
  @MayBeAbsent()
  @IsFlag()
  enabled: boolean = true;
  @ApiPropertyOptional({ default: true })
  @MayBeAbsent()
  @IsFlag()
  published: boolean = true;
}

export class LiveChanges {
  @ApiPropertyOptional(enabledOf)
  @MayBeAbsent()
  @IsFlag()
  enabled?: boolean;
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFlag()
  published?: boolean;
}

export const orderOf = { type: 'integer', minimum: -1_000_000, maximum: 1_000_000 } as const;
export const MAX_ORDER = 1_000_000;
export const MAX_ID_LENGTH = 100;
