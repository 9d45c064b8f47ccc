import type { Type } from '@nestjs/common';
import { PartialType, PickType } from '@nestjs/swagger';

/** The metadata key of `@ApiProperty()`, which @nestjs/swagger does not export. */
const API_PROPERTY = 'swagger/apiModelProperties';

/**
 * Creates the DTO class of an update, with the given fields of a creation. All fields are optional and without
 * defaults. An absent field is not changed; null is only valid if it is valid for a creation.
 */
export function ChangesOf<T extends object, Field extends keyof T & string>(
  creation: Type<T>,
  fields: readonly Field[],
): Type<Partial<Pick<T, Field>>> {
  const partial: Type<object> = PartialType(PickType(creation, fields), { skipNullProperties: false });
  class Changes extends partial {
    constructor() {
      super();
      for (const field of fields) Reflect.deleteProperty(this, field);
    }
  }
  for (const field of fields) {
    const documented = (Reflect.getMetadata(API_PROPERTY, Changes.prototype, field) ?? {}) as object;
    const withoutDefault = Object.fromEntries(Object.entries(documented).filter(([name]) => name !== 'default'));
    Reflect.defineMetadata(API_PROPERTY, withoutDefault, Changes.prototype, field);
  }
  return Changes as Type<Partial<Pick<T, Field>>>;
}
