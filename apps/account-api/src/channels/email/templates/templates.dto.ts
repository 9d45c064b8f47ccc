import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import {
  isUnsubscribeScope,
  UNSUBSCRIBE_SCOPE_RULE,
  type EmailTemplate,
  type EmailTemplateSummary,
} from '@heliograph/email-catalog';
import { MAX_PART_LENGTH, parseEmailTemplate } from '@heliograph/email-text';
import { AppError } from '@heliograph/errors';
import { rule } from '@heliograph/service-kit';
import { One, ListOf } from '../../../http/answers';
import { ChangesOf } from '../../../http/changes-of';
import { optionalText } from '../../../http/schemas';
import { IsText, IsNonBlankText, Optional, OptionalNullable } from '../../../http/rules';
const scopeOf = {
  ...optionalText,
  example: 'transactional',
  description:
    'Default unsubscribe scope of emails with this template: `transactional`, `marketing` (the default), or the name of a list. An unsubscribe ' +
    'from an email stops all emails of the same scope',
};
const IsUnsubscribeScope = () => rule('isUnsubscribeScope', UNSUBSCRIBE_SCOPE_RULE, isUnsubscribeScope);
const MAX_SLUG_LENGTH = 100;
const MAX_NAME_LENGTH = 200;

export class EmailTemplateEntry {
  id: Uuid;
  /** @example order-shipped */
  slug: string;
  /** @example Order shipped */
  name: string;
  subject: string | null;
  @ApiProperty(scopeOf)
  unsubscribeScope: string | null;
  /** Names of the top-level variables that the template uses. */
  variables: string[];
  createdAt: Timestamp;
  updatedAt: Timestamp;

  static of(template: EmailTemplateSummary): EmailTemplateEntry {
    const { id, slug, name, subject, unsubscribeScope, variables } = template;
    return {
      id,
      slug,
      name,
      subject,
      unsubscribeScope,
      variables,
      createdAt: template.createdAt.toISOString(),
      updatedAt: template.updatedAt.toISOString(),
    };
  }
}

export class EmailTemplateRecord extends EmailTemplateEntry {
  html: string | null;
  text: string | null;
  /** Variables that a send must contain, because the template uses them outside of conditions and without a default. */
  requiredVariables: string[];

  static override of(template: EmailTemplate): EmailTemplateRecord {
    const { html, text } = template;
    return { ...EmailTemplateEntry.of(template), html, text, requiredVariables: requiredOf(template) };
  }
}

/** Does not throw for a template that violates limits introduced later, so that it can be read, updated and deleted. */
function requiredOf(template: EmailTemplate): string[] {
  try {
    return [...parseEmailTemplate(template).required];
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_TEMPLATE') return template.variables;
    throw error;
  }
}

export class OneEmailTemplate extends One('template', EmailTemplateRecord) {}

export class EmailTemplatePage extends ListOf('templates', EmailTemplateEntry) {}

export class CreateEmailTemplateRequest {
  /** @example order-shipped */
  @IsNonBlankText(MAX_SLUG_LENGTH)
  slug: string;
  /** @example Order shipped */
  @IsNonBlankText(MAX_NAME_LENGTH)
  name: string;
  /** @example Order {{ order.id }} is on its way */
  @OptionalNullable()
  @IsText(MAX_PART_LENGTH.subject)
  subject: string | null = null;
  /**
   * Liquid template of the HTML body. Values are escaped.
   * @example <p>Hello {{ name }}</p>
   */
  @OptionalNullable()
  @IsText(MAX_PART_LENGTH.html)
  html: string | null = null;
  /** Liquid template of the plain text body. It is generated from the HTML if omitted. */
  @OptionalNullable()
  @IsText(MAX_PART_LENGTH.text)
  text: string | null = null;
  @ApiPropertyOptional(scopeOf)
  @OptionalNullable()
  @IsUnsubscribeScope()
  unsubscribeScope: string | null = null;
}

export class ChangeEmailTemplateRequest extends ChangesOf(CreateEmailTemplateRequest, [
  'slug',
  'name',
  'subject',
  'html',
  'text',
  'unsubscribeScope',
]) {}

const IsVariables = () =>
  rule(
    'isVariables',
    'must be a JSON object of names and values',
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );

/** Values for a stored template. */
export class PreviewStoredEmailRequest {
  /** @example {"name":"Ann"} */
  @Optional()
  @IsVariables()
  variables: Record<string, unknown> = {};
}

/** Values and content of an unsaved template. */
export class PreviewEmailRequest extends IntersectionType(
  PreviewStoredEmailRequest,
  PickType(CreateEmailTemplateRequest, ['subject', 'html', 'text']),
) {}

export class EmailPreview {
  subject: string | null;
  html: string | null;
  /** Plain text body. It is generated from the HTML if the template has no text. */
  text: string | null;
  variables: string[];
  /** Required variables without a value. The preview shows them as `{{ name }}`. */
  missing: string[];
}
