import { ApiProperty } from '@nestjs/swagger';
import {
  TEMPLATE_CATEGORIES,
  type ChatappTemplate,
  type TemplateCategory,
  type TemplateComponent,
} from '@heliograph/chatapp-catalog';

const COMPONENTS = {
  type: 'array' as const,
  // Has a type such as BODY, and any other fields from the provider.
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
  @ApiProperty({ description: 'PENDING, APPROVED, REJECTED, or another status of the provider', example: 'APPROVED' })
  status: string;
  @ApiProperty({ ...COMPONENTS, description: 'Components in the provider’s format' })
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
  @ApiProperty({ description: 'The provider’s id of the template' })
  upstreamTemplateId: string;

  static from(row: ChatappTemplate, businessAccountId: string): TemplateCreated {
    return { ok: true, ...TemplateRecord.of(row, businessAccountId), upstreamTemplateId: row.upstreamId };
  }
}

export class TemplateSync {
  @ApiProperty()
  ok: boolean;
  @ApiProperty({ type: 'integer', description: 'Templates of the provider: inserted + updated + skipped' })
  fetched: number;
  @ApiProperty({ type: 'integer' })
  inserted: number;
  @ApiProperty({ type: 'integer' })
  updated: number;
  @ApiProperty({ type: 'integer', description: 'Unchanged templates, and templates of an unsupported category' })
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
  @ApiProperty({ enum: TEMPLATE_CATEGORIES, description: 'In upper or lower case' })
  category: TemplateCategory;
  @ApiProperty({
    ...COMPONENTS,
    minItems: 1,
    maxItems: 4,
    description:
      'HEADER, BODY, FOOTER and BUTTONS, each at most once; BODY is required. Placeholders are {{1}}, {{2}}, …; missing ' +
      'samples are generated. In the category authentication the provider supplies the texts, and given texts are dropped',
  })
  components: TemplateComponent[];
}
