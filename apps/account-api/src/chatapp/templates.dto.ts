import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  TEMPLATE_CATEGORIES,
  type ChatappTemplate,
  type TemplateCategory,
  type TemplateComponent,
} from '@heliograph/chatapp-catalog';
import { PageQuery } from '../http/query';
import { IsFilledText, MayBeAbsent } from '../http/rules';

const MAX_STATUS_LENGTH = 100;
const statusOf = { example: 'APPROVED', description: 'As the platform says it' };

export class ChatappTemplateRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'order_shipped' })
  name: string;
  @ApiProperty({ example: 'en_US' })
  language: string;
  @ApiProperty({ enum: TEMPLATE_CATEGORIES })
  category: TemplateCategory;
  @ApiProperty(statusOf)
  status: string;
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  components: TemplateComponent[];
  @ApiProperty({ description: 'Made by this organization; false: everybody may send it' })
  isOwn: boolean;
  @ApiProperty({ format: 'date-time', description: 'When the platform last told of it' })
  seenAt: string;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of({ id, name, language, category, status, components, ...rest }: ChatappTemplate): ChatappTemplateRecord {
    return {
      ...{ id, name, language, category, status, components },
      isOwn: rest.organizationId !== null,
      seenAt: rest.seenAt.toISOString(),
      createdAt: rest.createdAt.toISOString(),
    };
  }
}

export class ChatappTemplatePage {
  @ApiProperty({ type: [ChatappTemplateRecord] })
  templates: ChatappTemplateRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

export class ChatappTemplateQuery extends PageQuery {
  @ApiPropertyOptional(statusOf)
  @MayBeAbsent()
  @IsFilledText(MAX_STATUS_LENGTH)
  status?: string;
}
