import type { Integer, Uuid } from '@heliograph/contracts';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  TEMPLATE_CATEGORIES,
  type ChatappTemplate,
  type TemplateCategory,
  type TemplateComponent,
} from '@heliograph/chatapp-catalog';
import { otherFields, readFlag, rule, singleField, type FormFields } from '@heliograph/service-kit';
import { IsOptional } from 'class-validator';
import { IsTemplateCategory } from '../messages/send-request.dto';

const INVALID = 'INVALID_REQUEST';
export const COMPONENT_TYPES = ['HEADER', 'BODY', 'LIMITED_TIME_OFFER', 'FOOTER', 'BUTTONS', 'CAROUSEL'] as const;
/**
 * Allowed times during which the provider tries to deliver a message, in seconds.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/time-to-live
 */
const TTL_SECONDS: Record<TemplateCategory, { min: number; max: number; allowsMonth: boolean }> = {
  marketing: { min: 43_200, max: 2_592_000, allowsMonth: false },
  utility: { min: 30, max: 43_200, allowsMonth: true },
  authentication: { min: 30, max: 900, allowsMonth: true },
};
/** The provider's value for 30 days. */
const TTL_MONTH = -1;
const TEMPLATE_NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(?:_[A-Z]{2,4})?$/;

const IsStatusFilter = () =>
  applyDecorators(
    rule(
      'isStatus',
      'status must be a status such as APPROVED, PENDING or REJECTED.',
      (value) => /^\w{1,40}$/.test(String(value)),
      INVALID,
    ),
    rule<TemplateFilter>(
      'isOnlyFilter',
      'Send either approved or status, not both.',
      (_, filter) => !filter.approved || statusOf(filter) === filter.status?.toUpperCase(),
      INVALID,
    ),
  );

function ttlRangeOf(category: TemplateCategory): string {
  const { min, max, allowsMonth } = TTL_SECONDS[category];
  return `${category} ${min} to ${max}${allowsMonth ? ', or -1 for 30 days' : ''}`;
}

/** The range depends on the category, and so does the message. */
const IsTtl = () =>
  applyDecorators(
    ...TEMPLATE_CATEGORIES.map((category) => {
      const { min, max, allowsMonth } = TTL_SECONDS[category];
      return rule<TemplateRequest>(
        `isTtlOf_${category}`,
        `message_send_ttl_seconds must be an integer in the range of the category: ${ttlRangeOf(category)}.`,
        (value, request) =>
          request.category !== category ||
          (allowsMonth && value === TTL_MONTH) ||
          (Number.isInteger(value) && Number(value) >= min && Number(value) <= max),
        INVALID,
      );
    }),
  );

const COMPONENTS = {
  type: 'array' as const,
  // A component has a type, such as BODY, and further fields that the provider defines.
  items: { type: 'object', additionalProperties: true, example: { type: 'BODY', text: 'Hello {{1}}!' } },
};

export class TemplateRecord {
  id: Uuid;
  businessAccountId: string;
  name: string;
  /** @example en_US */
  language: string;
  category: (typeof TEMPLATE_CATEGORIES)[number];
  /**
   * Review status: `PENDING`, `APPROVED`, `REJECTED`, or another status of the provider.
   * @example APPROVED
   */
  status: string;
  @ApiProperty({ ...COMPONENTS, description: 'Components in the format of the provider' })
  components: TemplateComponent[];
  /** Time in seconds during which the provider tries to deliver a message. If it is absent, the default of the category applies. */
  message_send_ttl_seconds?: Integer;

  static of(
    { id, name, language, category, status, components, messageSendTtlSeconds }: ChatappTemplate,
    businessAccountId: string,
  ): TemplateRecord {
    const record = { id, businessAccountId, name, language, category, status, components };
    return messageSendTtlSeconds === null ? record : { ...record, message_send_ttl_seconds: messageSendTtlSeconds };
  }
}

export class TemplateList {
  templates: TemplateRecord[];
}

export class TemplateCreated extends TemplateRecord {
  ok: boolean;
  /** Id of the template that the provider assigned. */
  upstreamTemplateId: string;

  static from(row: ChatappTemplate, businessAccountId: string): TemplateCreated {
    return { ok: true, ...TemplateRecord.of(row, businessAccountId), upstreamTemplateId: row.upstreamId };
  }
}

export class TemplateSync {
  ok: boolean;
  /** Number of templates at the provider, which is the sum of `inserted`, `updated` and `skipped`. */
  fetched: Integer;
  inserted: Integer;
  updated: Integer;
  /** Number of templates that are unchanged or have an unsupported category. */
  skipped: Integer;
}

export class TemplateDeleted {
  ok: boolean;
  name: string;
}

export class TemplateRequest {
  @ApiProperty({ pattern: TEMPLATE_NAME.source })
  @rule('isTemplateName', 'name must have 1 to 512 characters from a to z, 0 to 9 and _.', isTemplateName, INVALID)
  name: string;
  @ApiProperty({ pattern: LANGUAGE.source, nullable: true })
  @rule(
    'isLanguage',
    'language must be a language code such as en or en_US.',
    (value) => typeof value === 'string' && LANGUAGE.test(value),
    INVALID,
  )
  language: string = 'en_US';
  /** Category of the template, in upper or lower case. */
  @IsTemplateCategory()
  category: (typeof TEMPLATE_CATEGORIES)[number];
  @ApiProperty({
    ...COMPONENTS,
    minItems: 1,
    maxItems: COMPONENT_TYPES.length,
    description:
      'HEADER, BODY, LIMITED_TIME_OFFER, FOOTER, BUTTONS and CAROUSEL, each at most once; BODY is required. Placeholders are ' +
      '{{1}}, {{2}}, …; if sample values are missing, the service generates them. For templates of the category `authentication`, the ' +
      'provider supplies the texts; texts in the request are ignored',
  })
  @rule(
    'isComponentList',
    `components must be a list of 1 to ${COMPONENT_TYPES.length} objects.`,
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= COMPONENT_TYPES.length,
    INVALID,
  )
  components: unknown[];
  @ApiProperty({
    nullable: true,
    description: `Time in seconds during which the provider tries to deliver a message. Allowed ranges: ${TEMPLATE_CATEGORIES.map(ttlRangeOf).join('; ')}`,
  })
  @IsOptional()
  @IsTtl()
  message_send_ttl_seconds?: Integer;
}

/** The query string of the template list. */
export class TemplateFilter {
  /** `true` returns only templates with the status `APPROVED`. */
  @ApiProperty({ required: false })
  @rule('isFlag', 'approved must be true or false.', (value) => typeof value === 'boolean', INVALID)
  approved: boolean;
  /** Returns templates with this status, such as `PENDING`. */
  @IsOptional()
  @IsStatusFilter()
  status?: string;
}

/** Converts the query string. An empty parameter counts as absent. Throws a FieldError for a repeated parameter. */
export function normalizeTemplateFilter(parameters: FormFields): object {
  const only = (name: string): string => singleField(name, parameters.get(name)) ?? '';
  const others = otherFields(parameters, ['approved', 'status']);
  return { ...others, approved: readFlag(only('approved')), status: only('status') || undefined };
}

/** Returns the status to filter by; null means no filter. */
export function statusOf({ approved, status }: TemplateFilter): string | null {
  return approved ? 'APPROVED' : (status?.toUpperCase() ?? null);
}

export function isTemplateName(value: unknown): value is string {
  return typeof value === 'string' && TEMPLATE_NAME.test(value);
}
