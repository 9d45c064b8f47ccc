import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { AppError } from '@heliograph/errors';

const known = new Map<new () => object, readonly string[]>();

/** Fields of a request class: those that have a rule. Nothing else of a body reaches anybody. */
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
 * Takes the declared fields and checks them. A field that was not sent keeps the default of its class. Throws
 * VALIDATION_ERROR, naming every field that is wrong.
 */
export function toValid<T extends object>(type: new () => T, given: object): T {
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
  const [text = 'is wrong'] = Object.values(constraints ?? {});
  return `${property}: ${text.replace(new RegExp(`^(?:each value in )?${property} `), '')}`;
}
