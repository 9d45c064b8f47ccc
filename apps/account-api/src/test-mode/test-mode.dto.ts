import { ApiProperty } from '@nestjs/swagger';
import { CREDIT_TYPES, type Integer, type Uuid } from '@heliograph/contracts';
import { MAX_AMOUNT } from '@heliograph/credits';
import { IsCreditType, IsInteger, IsNonBlankText, OptionalNullable } from '../http/rules';

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
