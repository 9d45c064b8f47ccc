import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { AppError } from '@heliograph/errors';

const known = new Map<new () => object, readonly string[]>();

/** Validated properties of a request class. Unknown properties of a body are ignored. */
function fieldsOf(type: new () => object): readonly string[] {
  const fields = known.get(type) ?? [
    ...new Set(
      getMetadataStorage()
        .getTargetValidationMetadatas(type, '', false, false)
        .map((rule) => rule.propertyName),
    ),
  ];
  known.set(type, fields);
  return fields;
}

/**
 * Picks the declared properties and validates them. Absent properties keep the default of the class. Throws
 * VALIDATION_ERROR that names every invalid property.
 */
export function validateRequest<T extends object>(type: new () => T, given: object): T {
  const instance = new type();
  for (const field of fieldsOf(type)) {
    if (!Object.hasOwn(given, field)) continue;
    const value = (given as Record<string, unknown>)[field];
    if (value !== undefined) (instance as Record<string, unknown>)[field] = value;
  }
  const errors = validateSync(instance, { stopAtFirstError: true, forbidUnknownValues: true });
  if (errors.length > 0) throw new AppError('VALIDATION_ERROR', errors.map(sentenceOf).join('; '));
  return instance;
}

function sentenceOf({ property, constraints }: ValidationError): string {
  const [text = 'is invalid'] = Object.values(constraints ?? {});
  return `${property}: ${text.replace(new RegExp(`^(?:each value in )?${property} `), '')}`;
}
