import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { ContactGroup } from '@heliograph/contacts';
import { isDisplayText, rule, V1ListQuery, V1Request, v1Timestamp } from '@heliograph/service-kit';
import { IdsField, MAX_CONTACT_IDS } from './contact-rules';

const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 2_000;
const NAME_RULE = `name must be a string of 1 to ${MAX_NAME_LENGTH} characters.`;

const DescriptionField = (): PropertyDecorator => (target, property) => {
  const text = `description must be a string of at most ${MAX_DESCRIPTION_LENGTH} characters.`;
  ApiProperty({ type: String, required: false, nullable: true })(target, property as string);
  IsOptional()(target, property as string);
  rule('isDescription', text, (value) => isDisplayText(value, MAX_DESCRIPTION_LENGTH))(target, property);
};

@V1Request()
export class V1GroupRequest {
  /** Name of the group, unique in the organization. */
  @ApiProperty({ maxLength: MAX_NAME_LENGTH })
  @rule('isName', NAME_RULE, isName)
  name: string;
  @DescriptionField()
  description?: string | null;
}

@V1Request()
export class V1GroupChanges {
  @ApiProperty({ maxLength: MAX_NAME_LENGTH })
  @IsOptional()
  @rule('isName', NAME_RULE, isName)
  name?: string | null;
  @DescriptionField()
  description?: string | null;
}

@V1Request()
export class V1MembersRequest {
  @IdsField('contact_ids', MAX_CONTACT_IDS, { required: true })
  contact_ids: string[];
}

@V1Request()
export class V1GroupsQuery extends V1ListQuery {}

export class V1Group {
  id: Uuid;
  name: string;
  description: string | null;
  contact_count: Integer;
  created_at: Timestamp;
  updated_at: Timestamp;

  static of({ id, name, description, createdAt, updatedAt }: ContactGroup, contactCount: number): V1Group {
    return {
      id,
      name,
      description,
      contact_count: contactCount,
      created_at: v1Timestamp(createdAt),
      updated_at: v1Timestamp(updatedAt),
    };
  }
}

export class V1Groups {
  data: V1Group[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
}

function isName(value: unknown): boolean {
  return isDisplayText(value, MAX_NAME_LENGTH) && value.trim() !== '';
}
