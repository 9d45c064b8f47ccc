import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  EVERY_SCOPE,
  isSuppressionScope,
  SUPPRESSION_REASONS,
  SUPPRESSION_SCOPE_RULE,
  type EmailSuppression,
  type SuppressionReason,
} from '@heliograph/email-catalog';
import { rule } from '@heliograph/service-kit';
import { One, ListOf } from '../../../http/answers';
import { ForeignPageQuery } from '../../../http/page.query';
import { IsNonBlankText, Optional, IsOneOf } from '../../../http/rules';

const MAX_ADDRESS_LENGTH = 254;
/** Reasons that a request can have. `complained` is excluded, because such a suppression is permanent. */
const GIVEN_REASONS = ['manual', 'bounced', 'unsubscribed'] as const satisfies SuppressionReason[];

const scopeOf = {
  maxLength: 63,
  example: 'marketing',
  description: 'Emails that are stopped: `all`, `marketing`, or the name of a list',
};
const IsScope = () => rule('isScope', SUPPRESSION_SCOPE_RULE, isSuppressionScope);

export class EmailSuppressionRecord {
  /** @example ann@example.com */
  address: string;
  @ApiProperty(scopeOf)
  scope: string;
  reason: (typeof SUPPRESSION_REASONS)[number];
  /** Id of the send that caused the suppression. */
  messageId: Uuid | null;
  createdAt: Timestamp;

  static of({ address, scope, reason, messageId, createdAt }: EmailSuppression): EmailSuppressionRecord {
    return { address, scope, reason, messageId, createdAt: createdAt.toISOString() };
  }
}

export class OneEmailSuppression extends One('suppression', EmailSuppressionRecord) {}

export class EmailSuppressionPage extends ListOf('suppressions', EmailSuppressionRecord) {}

export class EmailSuppressionQuery extends ForeignPageQuery {
  /**
   * Email address, compared without regard to case.
   * @example ann@example.com
   */
  @Optional()
  @IsNonBlankText(MAX_ADDRESS_LENGTH)
  address?: string;
  @ApiPropertyOptional(scopeOf)
  @Optional()
  @IsScope()
  scope?: string;
  @Optional()
  @IsOneOf(SUPPRESSION_REASONS)
  reason?: (typeof SUPPRESSION_REASONS)[number];
}

export class EmailSuppressionScopeQuery {
  @ApiPropertyOptional({
    ...scopeOf,
    description: 'Scope of the suppression. Required if the address has several suppressions',
  })
  @Optional()
  @IsScope()
  scope?: string;
}

export class CreateEmailSuppressionRequest {
  /** @example ann@example.com */
  @IsNonBlankText(MAX_ADDRESS_LENGTH)
  address: string;
  @ApiPropertyOptional({ ...scopeOf, default: EVERY_SCOPE })
  @Optional()
  @IsScope()
  scope: string = EVERY_SCOPE;
  /**
   * Reason for the suppression, for example from another provider.
   * @default manual
   */
  @Optional()
  @IsOneOf(GIVEN_REASONS)
  reason: (typeof GIVEN_REASONS)[number] = 'manual';
}
