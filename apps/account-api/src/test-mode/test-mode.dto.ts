import { ApiProperty } from '@nestjs/swagger';
import { CREDIT_TYPES, type Integer, type Timestamp, type Uuid } from '@heliograph/contracts';
import { MAX_AMOUNT } from '@heliograph/credits';
import { IsCreditType, IsInteger, IsNonBlankText, IsTimestamp, OptionalNullable } from '../http/rules';

export class V1TestCreditsRequest {
  @IsCreditType()
  credit_type: (typeof CREDIT_TYPES)[number];
  /** The new balance. Use `0` to test how your code reacts to `INSUFFICIENT_CREDITS`. */
  @ApiProperty({ minimum: 0, maximum: MAX_AMOUNT, example: 1_000 })
  @IsInteger(0, MAX_AMOUNT)
  balance: Integer;
  /** Test workspace; by default the oldest one. */
  @OptionalNullable()
  @IsNonBlankText(100)
  workspace_id?: Uuid | null;
}

export class V1TestCredits {
  workspace_id: Uuid;
  credit_type: (typeof CREDIT_TYPES)[number];
  balance: Integer;
}

export class V1TestClockRequest {
  /**
   * ISO 8601 duration in weeks, days, hours, minutes and seconds, at most 366 days.
   * @example P3D
   */
  @OptionalNullable()
  @IsNonBlankText(50)
  advance?: string | null;
  /** Instead of `advance`: makes due what is due until this time, at most 366 days from now. */
  @OptionalNullable()
  @IsTimestamp()
  until?: Timestamp | null;
}

export class V1TestClock {
  /** The current time. It is that of new objects, and the clock of your systems. */
  now: Timestamp;
  /** Seconds of all advances of the clock together. */
  advanced_seconds: Integer;
}
