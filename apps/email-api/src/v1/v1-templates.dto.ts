import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isUnsubscribeScope, UNSUBSCRIBE_SCOPE_RULE, type EmailTemplateSummary } from '@heliograph/email-catalog';
import { MAX_PART_LENGTH } from '@heliograph/email-text';
import { isStorableText, rule, V1ListQuery, V1Request, v1Timestamp } from '@heliograph/service-kit';

const MAX_NAME_LENGTH = 200;

const IsPart = (part: keyof typeof MAX_PART_LENGTH): PropertyDecorator =>
  rule(`is_${part}`, `${part} must be text of at most ${MAX_PART_LENGTH[part]} characters.`, (value) =>
    isStorableText(value, MAX_PART_LENGTH[part]),
  );

/** The request of POST /api/v1/email/templates. */
@V1Request()
export class V1TemplateRequest {
  /**
   * Unique name of the template: lower-case letters, digits and hyphens; it must not start or end with a hyphen.
   * @example order-shipped
   */
  @rule('isSlug', 'slug must be text such as order-shipped.', (value) => isStorableText(value, MAX_NAME_LENGTH))
  slug: string;

  @ApiProperty({ maxLength: MAX_NAME_LENGTH })
  @rule(
    'isName',
    `name must be text of 1 to ${MAX_NAME_LENGTH} characters.`,
    (value) => isStorableText(value, MAX_NAME_LENGTH) && value.trim() !== '',
  )
  name: string;

  /** Liquid template of the subject. At least one of `subject`, `html` and `text` is required. */
  @IsOptional()
  @IsPart('subject')
  subject?: string;

  /** Liquid template of the HTML body. */
  @IsOptional()
  @IsPart('html')
  html?: string;

  /** Liquid template of the plain text body. */
  @IsOptional()
  @IsPart('text')
  text?: string;

  /**
   * Default unsubscribe scope of emails with this template: `transactional`, `marketing` (the default), or the name of a list.
   * @example transactional
   */
  @ApiProperty({ maxLength: 63 })
  @IsOptional()
  @rule('is_unsubscribe_scope', `unsubscribe_scope ${UNSUBSCRIBE_SCOPE_RULE}.`, isUnsubscribeScope)
  unsubscribe_scope?: string;
}

@V1Request()
export class V1TemplatesQuery extends V1ListQuery {}

export class V1Template {
  id: Uuid;
  slug: string;
  name: string;
  subject: string | null;
  /** Names of the top-level variables that the template uses. */
  variables: string[];
  created_at: Timestamp;
  updated_at: Timestamp;

  static of(template: EmailTemplateSummary): V1Template {
    const { id, slug, name, subject, variables, createdAt, updatedAt } = template;
    const created_at = v1Timestamp(createdAt);
    const updated_at = v1Timestamp(updatedAt);
    return { id, slug, name, subject, variables, created_at, updated_at };
  }
}

export class V1Templates {
  data: V1Template[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}
