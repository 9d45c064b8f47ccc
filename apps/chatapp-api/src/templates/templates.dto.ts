import { ApiProperty } from '@nestjs/swagger';
import {
  TEMPLATE_CATEGORIES,
  type ChatappTemplate,
  type TemplateCategory,
  type TemplateComponent,
} from '@heliograph/chatapp-catalog';

const COMPONENTS = {
  type: 'array' as const,
  // With a type such as BODY, and whatever the platform has said of it.
  items: { type: 'object', additionalProperties: true, example: { type: 'BODY', text: 'Hello {{1}}!' } },
};

export class TemplateRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  businessAccountId: string;
  @ApiProperty()
  name: string;
  @ApiProperty({ example: 'en_US' })
  language: string;
  @ApiProperty({ enum: TEMPLATE_CATEGORIES })
  category: TemplateCategory;
  @ApiProperty({ description: 'PENDING, APPROVED, REJECTED, or what else the platform says', example: 'APPROVED' })
  status: string;
  @ApiProperty({ ...COMPONENTS, description: 'The parts, as the platform spells them' })
  components: TemplateComponent[];

  static of(
    { id, name, language, category, status, components }: ChatappTemplate,
    businessAccountId: string,
  ): TemplateRecord {
    return { id, businessAccountId, name, language, category, status, components };
  }
}

export class TemplateList {
  @ApiProperty({ type: [TemplateRecord] })
  templates: TemplateRecord[];
}

export class TemplateCreated extends TemplateRecord {
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ description: 'The platform’s id of the template' })
  upstreamTemplateId: string;

  static from(row: ChatappTemplate, businessAccountId: string): TemplateCreated {
    return { ok: true, ...TemplateRecord.of(row, businessAccountId), upstreamTemplateId: row.upstreamId };
  }
}

export class TemplateSync {
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ type: 'integer', description: 'Templates of the platform: inserted, updated and skipped ones' })
  fetched: number;
  @ApiProperty({ type: 'integer' })
  inserted: number;
  @ApiProperty({ type: 'integer' })
  updated: number;
  @ApiProperty({ type: 'integer', description: 'Unchanged, or of no category that can be used' })
  skipped: number;
}

export class TemplateDeleted {
  @ApiProperty()
  ok: boolean;
  @ApiProperty()
  name: string;
}

export class TemplateRequest {
  @ApiProperty({ pattern: '^[a-z0-9_]{1,512}$' })
  name: string;
  @ApiProperty({
    pattern: '^[a-z]{2,3}(_[A-Z]{2,4})?$',
    default: 'en_US',
    required: false,
    nullable: true,
    type: String,
  })
  language?: string | null;
  @ApiProperty({ enum: TEMPLATE_CATEGORIES, description: 'In any case' })
  category: TemplateCategory;
  @ApiProperty({
    ...COMPONENTS,
    minItems: 1,
    maxItems: 4,
    description:
      'HEADER, BODY, FOOTER and BUTTONS, each at most once, BODY always. Placeholders are {{1}}, {{2}}, …; samples that ' +
      'are left out are made up. Of the category authentication the words are the platform’s own, and texts are left out',
  })
  components: TemplateComponent[];
}
