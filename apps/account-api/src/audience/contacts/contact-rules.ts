import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';
import {
  FIELD_RULES,
  isAttributeName,
  isAttributeValue,
  MAX_ATTRIBUTES,
  readContactField,
  type ContactData,
} from '@heliograph/contacts';
import { isId } from '@heliograph/database';
import { isJsonObject, rule } from '@heliograph/service-kit';

export const MAX_GROUPS = 100;
export const MAX_CONTACT_IDS = 1_000;

/** The rules of a text field of a contact. The value can be null or absent if it is unknown. */
export function ContactField(name: string, field: keyof ContactData, example: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String, required: false, nullable: true, example }),
    IsOptional(),
    rule('isContactField', `${name} ${FIELD_RULES[field]}.`, (value) => readContactField(field, value) !== null),
  );
}

/** The rules of attributes. If `removable` is true, the value null removes an attribute. */
export function AttributesField({ removable }: { removable: boolean }): PropertyDecorator {
  const text = `attributes must be an object of at most ${MAX_ATTRIBUTES} strings, numbers or booleans, with names of 1 to 64 characters.`;
  return applyDecorators(
    ApiProperty({
      type: 'object',
      required: false,
      nullable: true,
      additionalProperties: true,
      example: { plan: 'pro' },
      description: removable
        ? 'Attributes by name. They are merged with the stored attributes; `null` removes an attribute'
        : 'Attributes by name. The values are strings, numbers or booleans',
    } as never),
    IsOptional(),
    rule('areAttributes', text, areAttributes),
  );
}

/** The rules of a list of ids. Duplicates are not removed. */
export function IdsField(name: string, most: number, { required }: { required: boolean }): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], format: 'uuid', required, maxItems: most }),
    required ? ValidateIf(() => true) : IsOptional(),
    rule('areIds', `${name} must be a list of at most ${most} ids.`, (value) => areIds(value, most, required)),
  );
}

function areIds(value: unknown, most: number, required: boolean): boolean {
  return Array.isArray(value) && value.length <= most && (value.length > 0 || !required) && value.every(isId);
}

function areAttributes(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_ATTRIBUTES &&
    entries.every(([name, one]) => isAttributeName(name) && (one === null || isAttributeValue(one)))
  );
}
