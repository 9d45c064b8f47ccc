import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { EmailTemplate, EmailTemplateSummary } from '@heliograph/email-catalog';
import { MAX_PART_LENGTH, parseEmailTemplate } from '@heliograph/email-text';
import { AppError } from '@heliograph/errors';
import { IsFilledText, IsText, MayBeAbsent, MayBeEmpty, rule } from '../http/rules';

const optionalText = { type: String, nullable: true } as const;
const subjectOf = { ...optionalText, example: 'Order {{ order.id }} is on its way' };
const htmlOf = { ...optionalText, example: '<p>Hello {{ name }}</p>', description: 'Liquid; values are escaped' };
const textOf = { ...optionalText, description: 'Liquid; without it the text is made from html' };
const variablesOf = { type: 'object', additionalProperties: true, example: { name: 'Ann' } } as const;
const MAX_SLUG_LENGTH = 100;
const MAX_NAME_LENGTH = 200;

export class EmailTemplateEntry {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'order-shipped' })
  slug: string;
  @ApiProperty({ example: 'Order shipped' })
  name: string;
  @ApiProperty(optionalText)
  subject: string | null;
  @ApiProperty({ type: [String], description: 'The root names that it uses' })
  variables: string[];
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;

  static of(template: EmailTemplateSummary): EmailTemplateEntry {
    const { id, slug, name, subject, variables } = template;
    return {
      ...{ id, slug, name, subject, variables },
      createdAt: template.createdAt.toISOString(),
      updatedAt: template.updatedAt.toISOString(),
    };
  }
}

export class EmailTemplateRecord extends EmailTemplateEntry {
  @ApiProperty(optionalText)
  html: string | null;
  @ApiProperty(optionalText)
  text: string | null;
  @ApiProperty({
    type: [String],
    description: 'Those that a send must give: not only asked about in conditions, and without a default',
  })
  requiredVariables: string[];

  static override of(template: EmailTemplate): EmailTemplateRecord {
    const { html, text } = template;
    return { ...EmailTemplateEntry.of(template), html, text, requiredVariables: requiredOf(template) };
  }
}

/** One that was stored under other bounds than today's must still be there to be read, corrected and removed. */
function requiredOf(template: EmailTemplate): string[] {
  try {
    return [...parseEmailTemplate(template).required];
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_TEMPLATE') return template.variables;
    throw error;
  }
}

export class OneEmailTemplate {
  @ApiProperty()
  template: EmailTemplateRecord;
}

export class EmailTemplatePage {
  @ApiProperty({ type: [EmailTemplateEntry] })
  templates: EmailTemplateEntry[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class CreateEmailTemplateRequest {
  @ApiProperty({ example: 'order-shipped' })
  @IsFilledText(MAX_SLUG_LENGTH)
  slug: string;
  @ApiProperty({ example: 'Order shipped' })
  @IsFilledText(MAX_NAME_LENGTH)
  name: string;
  @ApiPropertyOptional(subjectOf)
  @MayBeEmpty()
  @IsText(MAX_PART_LENGTH.subject)
  subject: string | null = null;
  @ApiPropertyOptional(htmlOf)
  @MayBeEmpty()
  @IsText(MAX_PART_LENGTH.html)
  html: string | null = null;
  @ApiPropertyOptional(textOf)
  @MayBeEmpty()
  @IsText(MAX_PART_LENGTH.text)
  text: string | null = null;
}

export class ChangeEmailTemplateRequest {
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFilledText(MAX_SLUG_LENGTH)
  slug?: string;
  @ApiPropertyOptional()
  @MayBeAbsent()
  @IsFilledText(MAX_NAME_LENGTH)
  name?: string;
  @ApiPropertyOptional(subjectOf)
  @MayBeEmpty()
  @IsText(MAX_PART_LENGTH.subject)
  subject?: string | null;
  @ApiPropertyOptional(htmlOf)
  @MayBeEmpty()
  @IsText(MAX_PART_LENGTH.html)
  html?: string | null;
  @ApiPropertyOptional(textOf)
  @MayBeEmpty()
  @IsText(MAX_PART_LENGTH.text)
  text?: string | null;
}

const IsVariables = () =>
  rule(
    'isVariables',
    'must be a JSON object of names and values',
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );

/** Of a template that is stored. */
export class PreviewStoredEmailRequest {
  @ApiPropertyOptional(variablesOf)
  @MayBeAbsent()
  @IsVariables()
  variables: Record<string, unknown> = {};
}

/** Of one that is being written. */
export class PreviewEmailRequest extends PreviewStoredEmailRequest {
  @ApiPropertyOptional(subjectOf)
  @MayBeEmpty()
  @IsText(MAX_PART_LENGTH.subject)
  subject: string | null = null;
  @ApiPropertyOptional(htmlOf)
  @MayBeEmpty()
  @IsText(MAX_PART_LENGTH.html)
  html: string | null = null;
  @ApiPropertyOptional(textOf)
  @MayBeEmpty()
  @IsText(MAX_PART_LENGTH.text)
  text: string | null = null;
}

export class EmailPreview {
  @ApiProperty(optionalText)
  subject: string | null;
  @ApiProperty(optionalText)
  html: string | null;
  @ApiProperty({ ...optionalText, description: 'Made from html where the template has none' })
  text: string | null;
  @ApiProperty({ type: [String] })
  variables: string[];
  @ApiProperty({ type: [String], description: 'Required ones without a value; they stand as {{ name }}' })
  missing: string[];
}
