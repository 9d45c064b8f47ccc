import type { Integer } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { type MessagePreview, type SmsEncoding } from '@heliograph/sms-text';
import { rule } from '@heliograph/service-kit';
import { IsNonBlankText, Optional } from '../../http/rules';

const MAX_VARIABLES = 100;

const IsVariables = () =>
  rule(
    'isVariables',
    `must map at most ${MAX_VARIABLES} variables to strings, numbers or booleans`,
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length <= MAX_VARIABLES &&
      Object.values(value).every(isVariable),
  );

function isVariable(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 100_000 && value.isWellFormed() && !value.includes('\0');
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

export class PreviewRequest {
  /** @example Your code is {{code}} */
  @IsNonBlankText()
  body: string;
  /** @example {"code":"123456"} */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  @Optional()
  @IsVariables()
  variables: Record<string, string | number | boolean> = {};
  /**
   * Destination country, which determines the rate. The default rate is 1 credit per segment.
   * @example IN
   */
  @Optional()
  @IsNonBlankText(10)
  country?: string;
}

export class Preview {
  body: string;
  @ApiProperty({ enum: ['gsm-7', 'ucs-2'] satisfies SmsEncoding[] })
  encoding: SmsEncoding;
  segments: Integer;
  /** Used units of the last segment: septets for `gsm-7`, UTF-16 units for `ucs-2`. */
  unitsUsed: Integer;
  /** Remaining units of the last segment. */
  unitsLeft: Integer;
  /** Cost of the message in credits. */
  creditsCost: Integer;
  /** Variables without a value. The preview shows their placeholders. */
  missing: string[];

  static of({ body, encoding, segments, unitsUsed, unitsLeft, cost, missing }: MessagePreview): Preview {
    return { body, encoding, segments, unitsUsed, unitsLeft, creditsCost: cost, missing };
  }
}
