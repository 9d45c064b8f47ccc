import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { isId } from '@heliograph/database';
import { IsOneOf, isStorableText, rule, V1ListQuery, V1Request, v1Timestamp } from '@heliograph/service-kit';
import type { Template } from '@heliograph/sms-catalog';
import { parseTemplate, PLACEHOLDERS_DESCRIPTION } from '@heliograph/sms-text';

const MAX_NAME_LENGTH = 200;
const MAX_BODY_LENGTH = 100_000;
const DLT_ID = /^\d{1,30}$/;

/** The request of POST /api/v1/sms/templates. */
@V1Request()
export class V1TemplateRequest {
  @ApiProperty({ maxLength: MAX_NAME_LENGTH })
  @rule('isName', `name must be text of 1 to ${MAX_NAME_LENGTH} characters.`, isName)
  name: string;

  @ApiProperty({ description: PLACEHOLDERS_DESCRIPTION })
  @rule('isBody', 'body must be text with at least one character.', isBody)
  body: string;

  /** Id or header of a sender. The template is added to the onboarding of this sender. */
  @IsOptional()
  @rule('isSender', 'sender_id must be text: the id or the header of a sender.', (value) => isStorableText(value, 200))
  sender_id?: string;

  /** Id of the onboarding; alternative to `sender_id`. */
  @IsOptional()
  @rule('isOnboarding', 'onboarding_id must be a UUID.', isId)
  onboarding_id?: Uuid;

  /** Template id that the DLT registry assigned. */
  @ApiProperty({ pattern: DLT_ID.source })
  @IsOptional()
  @rule('isDltId', 'dlt_template_id must be 1 to 30 digits.', isDltId)
  dlt_template_id?: string | null;

  /** @default true */
  @IsOptional()
  @rule('isActive', 'active must be true or false.', (value) => typeof value === 'boolean')
  active?: boolean;
}

@V1Request()
export class V1TemplatesQuery extends V1ListQuery {
  @ApiProperty({ enum: ['true', 'false'] })
  @IsOptional()
  @IsOneOf('active', ['true', 'false'])
  active?: string;

  @IsOptional()
  @rule('isOnboarding', 'onboarding_id must be a UUID.', isId)
  onboarding_id?: Uuid;
}

export class V1Template {
  id: Uuid;
  name: string;
  body: string;
  /** Names of the placeholders that need a value. */
  tokens: string[];
  onboarding_id: Uuid;
  /** Country of the onboarding, as an ISO 3166-1 alpha-2 code. */
  country: string;
  dlt_template_id: string | null;
  active: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;

  static of(template: Template, country: string): V1Template {
    return {
      id: template.id,
      name: template.name,
      body: template.body,
      tokens: [...parseTemplate(template.body).tokens],
      onboarding_id: template.onboardingId,
      country,
      dlt_template_id: template.dltTemplateId,
      active: template.isActive,
      created_at: v1Timestamp(template.createdAt),
      updated_at: v1Timestamp(template.updatedAt),
    };
  }
}

export class V1Templates {
  data: V1Template[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}

function isBody(value: unknown): boolean {
  return isStorableText(value, MAX_BODY_LENGTH) && value.trim() !== '';
}

function isDltId(value: unknown): boolean {
  return typeof value === 'string' && DLT_ID.test(value);
}

function isName(value: unknown): boolean {
  return isStorableText(value, MAX_NAME_LENGTH) && value.trim() !== '';
}
