import type { Type } from '@nestjs/common';
import { toStorableText } from '../http/rules';
import type { FieldDirectory } from './field-directory';
import type { FieldNames } from './field-names';
import { nearestName, plainName } from './nearest-name';
import { pathOf, type UnknownField } from './unknown-fields';

const MAX_PATH_LENGTH = 200;

/** Describes an unknown field of a request: its path, and what to send instead. */
export function describeUnknownField(
  { name, parent, known }: UnknownField,
  type: Type<object>,
  directory: FieldDirectory | undefined,
): { field: string; message: string } {
  const field = toStorableText(pathOf(parent, name), MAX_PATH_LENGTH);
  const meant = meantName(name, known);
  const place = parent === '' && meant?.isSpelling !== true ? directory?.placeOf(name, type) : null;
  const advice = [
    ...(meant ? [`Did you mean ${pathOf(parent, meant.name)}?`] : []),
    ...(place ? [`\`${name}\` is ${place}.`] : []),
  ];
  if (advice.length === 0) advice.push(listed(known));
  return { field, message: `${field} is not a field of this call. ${advice.join(' ')}` };
}

/** The field that was probably meant; `isSpelling`: the name differs only in case, `_` and `-`, or is an alias. */
function meantName(name: string, { fields, aliases }: FieldNames): { name: string; isSpelling: boolean } | null {
  const alias = aliases.get(name);
  if (alias !== undefined) return { name: alias, isSpelling: true };
  const nearest = nearestName(name, [...fields.keys(), ...aliases.keys()]);
  return nearest === null ? null : { name: nearest, isSpelling: plainName(nearest) === plainName(name) };
}

function listed({ fields }: FieldNames): string {
  const names = [...fields.keys()];
  return names.length === 0 ? 'It has no fields.' : `Its fields are ${names.join(', ')}.`;
}
