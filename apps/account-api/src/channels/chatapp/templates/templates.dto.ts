import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TEMPLATE_CATEGORIES, type ChatappTemplate, type TemplateComponent } from '@heliograph/chatapp-catalog';
import { ListOf } from '../../../http/answers';
import { PageQuery } from '../../../http/page.query';
import { IsNonBlankText, Optional } from '../../../http/rules';

const MAX_STATUS_LENGTH = 100;
const statusOf = { example: 'APPROVED', description: 'Review status that the provider reported' };

export class ChatappTemplateRecord {
  id: Uuid;
  /** @example order_shipped */
  name: string;
  /** @example en_US */
  language: string;
  category: (typeof TEMPLATE_CATEGORIES)[number];
  @ApiProperty(statusOf)
  status: string;
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  components: TemplateComponent[];
  /** Time in seconds during which the provider tries to deliver a message. `-1` means 30 days, and `null` the default of the category. */
  messageSendTtlSeconds: Integer | null;
  /** `true` for a template of this organization; `false` for a shared template. */
  isOwn: boolean;
  /** Time at which the provider last returned the template. */
  seenAt: Timestamp;
  createdAt: Timestamp;

  static of({ id, name, language, category, status, components, ...rest }: ChatappTemplate): ChatappTemplateRecord {
    return {
      id,
      name,
      language,
      category,
      status,
      components,
      messageSendTtlSeconds: rest.messageSendTtlSeconds,
      isOwn: rest.organizationId !== null,
      seenAt: rest.seenAt.toISOString(),
      createdAt: rest.createdAt.toISOString(),
    };
  }
}

export class ChatappTemplatePage extends ListOf('templates', ChatappTemplateRecord) {}

export class ChatappTemplateQuery extends PageQuery {
  @ApiPropertyOptional(statusOf)
  @Optional()
  @IsNonBlankText(MAX_STATUS_LENGTH)
  status?: string;
}
