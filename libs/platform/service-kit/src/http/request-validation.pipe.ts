import { ArgumentMetadata, Injectable, PipeTransform, type Type } from '@nestjs/common';
import { AppError, type ErrorCode } from '@heliograph/errors';
import type { ValidationError } from 'class-validator';
import { isV1Request } from '../v1/v1-request';
import { MalformedInput } from './malformed-input';
import { rejectInput } from './rejected-input';
import type { RuleContext } from './rules';
import { dtoType, fieldsOf, toDto, violationsOf } from './to-dto';

const MAX_FIELDS = 100;

export interface RequestValidationOptions {
  /** The code of violations of rules without their own code, which are reported together. Default: INVALID_REQUEST */
  defaultCode?: ErrorCode;
}

/**
 * Converts a body or a query string to its DTO and validates it.
 *
 * Nest's own `ValidationPipe` builds the DTO with class-transformer, which reads `value.constructor` of every nested
 * object: `{"from": {"constructor": 1}}` then ends in a TypeError. This pipe copies the own properties that have a rule
 * and converts nothing, so that `constructor`, `__proto__` and `prototype` are ordinary names.
 *
 * If a violated rule has its own code, the first such violation (in the field order of the DTO) is reported. Otherwise
 * all violations are reported together under the default code.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  constructor(private readonly options: RequestValidationOptions = {}) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' && type !== 'query') return value;
    if (value instanceof MalformedInput) return rejectInput(value, value.error);
    const dtoClass = dtoType(metatype);
    if (!dtoClass || typeof value !== 'object' || value === null) return value;
    const dto = toDto(dtoClass, value);
    const error = (type === 'query' ? repeatedField(dto) : null) ?? this.errorOf(dto, dtoClass);
    return error ? rejectInput(value, error) : dto;
  }

  private errorOf(dto: object, dtoClass: Type<object>): AppError | null {
    const errors = violationsOf(dto);
    return errors.length > 0 ? this.toError(errors, dtoClass) : null;
  }

  private toError(errors: ValidationError[], dtoClass: Type<object>): AppError {
    const order = fieldsOf(dtoClass);
    const sorted = errors.toSorted((a, b) => order.indexOf(a.property) - order.indexOf(b.property));
    if (isV1Request(dtoClass)) return v1Error(sorted);
    for (const error of sorted) {
      const code = codeOf(error);
      if (code) return new AppError(code, messageOf(error));
    }
    return new AppError(this.options.defaultCode ?? 'INVALID_REQUEST', sorted.map(sentenceOf).join('; '));
  }
}

/** The code is that of the first violated rule, and every invalid field is listed. */
function v1Error(errors: ValidationError[]): AppError {
  const [first] = errors;
  const fields = errors.slice(0, MAX_FIELDS).map((error) => ({ field: error.property, message: messageOf(error) }));
  const message = first ? messageOf(first) : 'The request is not valid.';
  return new AppError((first && codeOf(first)) ?? 'INVALID_REQUEST', message, { details: { fields } });
}

function repeatedField(query: object): AppError | null {
  const repeated = Object.entries(query).find(([, value]) => Array.isArray(value));
  if (!repeated) return null;
  return new AppError('INVALID_REQUEST', `The parameter ${repeated[0]} was sent more than once. Send it once.`);
}

function codeOf({ constraints, contexts }: ValidationError): ErrorCode | undefined {
  const [name = ''] = Object.keys(constraints ?? {});
  return (contexts?.[name] as RuleContext | undefined)?.code;
}

function messageOf({ constraints }: ValidationError): string {
  return Object.values(constraints ?? {})[0] ?? 'The request is not valid.';
}

function sentenceOf(error: ValidationError): string {
  const { property } = error;
  return `${property}: ${messageOf(error).replace(new RegExp(`^(?:each value in )?${property} `), '')}`;
}
