import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { z } from 'zod';

type Property = NonNullable<z.core.JSONSchema.BaseSchema['properties']>[string];

/** Keywords that a schema of zod adds to every UUID, timestamp and integer. They tell nothing that `format` and `type` do not tell. */
const IMPLIED = ['pattern', 'minimum', 'maximum'];

/**
 * Returns the base class of a response with the fields of a record, which is declared once, as a schema of zod. The OpenAPI document
 * gets types, nullability and `meta()` (description, example) from it. `nested`: the classes of the fields that are objects or lists of
 * objects, so that the document has a schema of its own for them.
 *
 * @example
 * class V1SmsMessage extends RecordDto(smsRecord, { error: V1Failure }) {}
 */
export function RecordDto<Record extends z.ZodObject>(
  record: Record,
  nested: Partial<{ [Field in keyof z.output<Record>]: Type<object> }> = {},
): Type<z.output<Record>> {
  class RecordBase {}
  const { properties = {}, required = [] } = z.toJSONSchema(record, { target: 'openapi-3.0', io: 'output' });
  for (const [name, property] of Object.entries(properties)) {
    const nestedClass = (nested as { [field: string]: Type<object> | undefined })[name];
    const options = nestedClass ? nestedOptions(property, nestedClass) : plainOptions(property);
    const describe = required.includes(name) ? ApiProperty : ApiPropertyOptional;
    describe(options)(RecordBase.prototype, name);
  }
  return RecordBase as Type<z.output<Record>>;
}

function nestedOptions(property: Property, nestedClass: Type<object>): ApiPropertyOptions {
  if (typeof property === 'boolean') return { type: nestedClass };
  const { description } = property;
  return {
    type: nestedClass,
    isArray: property.type === 'array',
    ...(description === undefined ? {} : { description }),
    ...('nullable' in property ? { nullable: true } : {}),
  };
}

function plainOptions(property: Property): ApiPropertyOptions {
  if (typeof property === 'boolean') return {};
  return Object.fromEntries(Object.entries(property).filter(([keyword]) => !IMPLIED.includes(keyword)));
}
