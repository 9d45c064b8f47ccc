import { isJsonObject } from '../body/request-fields';
import type { FieldNames } from './field-names';

/** Maximum number of unknown fields that are reported. */
const MAX_FIELDS = 100;
/** Nested objects of more levels are no DTOs. */
const MAX_LEVELS = 32;

export interface UnknownField {
  name: string;
  /** The path of the object that contains the field, such as `recipients[3]`; empty for the request itself. */
  parent: string;
  /** The names of the fields of that object. */
  known: FieldNames;
}

/** Whether a request has a field that its DTO does not have. Fields of nested objects are not checked. */
export function hasUnknownField(request: object, { fields }: FieldNames): boolean {
  return Object.keys(request).some((name) => !fields.has(name));
}

/** The fields of a request and of its nested objects that are not fields of the API. */
export function unknownFields(request: object, names: FieldNames): UnknownField[] {
  const found: UnknownField[] = [];
  collect(request, { known: names, parent: '', levels: MAX_LEVELS }, found);
  return found;
}

interface Place extends Omit<UnknownField, 'name'> {
  levels: number;
}

function collect(value: object, { known, parent, levels }: Place, found: UnknownField[]): void {
  for (const name of Object.keys(value)) {
    if (found.length === MAX_FIELDS) return;
    const nested = known.fields.get(name);
    if (nested === undefined) found.push({ name, parent, known });
    else if (nested !== null && levels > 0) {
      const place = { known: nested, parent: pathOf(parent, name), levels: levels - 1 };
      collectNested(Reflect.get(value, name), place, found);
    }
  }
}

function collectNested(value: unknown, place: Place, found: UnknownField[]): void {
  if (isJsonObject(value)) collect(value, place, found);
  if (!Array.isArray(value)) return;
  for (const [index, entry] of value.entries()) {
    if (isJsonObject(entry)) collect(entry, { ...place, parent: `${place.parent}[${index}]` }, found);
  }
}

/** The path of a field in an object, such as `recipients[3].to`. */
export function pathOf(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}
