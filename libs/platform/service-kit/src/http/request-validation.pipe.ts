import { ArgumentMetadata, Injectable, PipeTransform, type Type } from '@nestjs/common';
import { AppError, type ErrorCode } from '@heliograph/errors';
import type { ValidationError } from 'class-validator';
import type { FieldDirectory } from '../fields/field-directory';
import { fieldNamesOf } from '../fields/field-names';
import { describeUnknownField } from '../fields/unknown-field-errors';
import { unknownFields } from '../fields/unknown-fields';
import { isV1Request } from '../v1/v1-request';
import { MalformedInput } from './malformed-input';
import type { RuleContext } from './rules';
import { dtoType, fieldsOf, toDto, violationsOf } from './to-dto';

const MAX_FIELDS = 100;
/** Maximum number of unknown fields in a message. */
const MAX_SENTENCES = 10;

export interface RequestValidationOptions {
  /** The code of violations of rules without their own code, which are reported together. Default: INVALID_REQUEST */
  defaultCode?: ErrorCode;
  /** Fields that the DTO does not have are ignored, for a service whose callers may be newer or older than it. */
  ignoresUnknownFields?: boolean;
}

interface FieldProblem {
  field: string;
  message: string;
}

/**
 * Converts a body or a query string to its DTO and validates it. A field that neither the DTO nor the OpenAPI document of a
 * nested object has is an error.
 *
 * Nest's own `ValidationPipe` builds the DTO with class-transformer, which reads `value.constructor` of every nested
 * object: `{"from": {"constructor": 1}}` then ends in a TypeError. This pipe copies the own properties that have a rule
 * and converts nothing, so that `constructor`, `__proto__` and `prototype` are ordinary names.
 *
 * Unknown fields are reported first, under the default code. If a violated rule has its own code, the first such violation (in
 * the field order of the DTO) is reported. Otherwise all violations are reported together under the default code.
 */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  constructor(
    private readonly options: RequestValidationOptions = {},
    private readonly directory?: FieldDirectory,
  ) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body' && type !== 'query') return value;
    if (value instanceof MalformedInput) throw value.error;
    const dtoClass = dtoType(metatype);
    if (!dtoClass || typeof value !== 'object' || value === null) return value;
    const dto = toDto(dtoClass, value);
    const error = (type === 'query' ? repeatedField(dto) : null) ?? this.errorOf(value, dto, dtoClass);
    if (error) throw error;
    return dto;
  }

  private errorOf(request: object, dto: object, dtoClass: Type<object>): AppError | null {
    const unknown = this.unknownFieldsOf(request, dtoClass);
    const errors = violationsOf(dto);
    if (unknown.length + errors.length === 0) return null;
    const order = fieldsOf(dtoClass);
    const sorted = errors.toSorted((a, b) => order.indexOf(a.property) - order.indexOf(b.property));
    return isV1Request(dtoClass) ? v1Error(unknown, sorted) : this.toError(unknown, sorted);
  }

  private unknownFieldsOf(request: object, dtoClass: Type<object>): FieldProblem[] {
    if (this.options.ignoresUnknownFields) return [];
    return unknownFields(request, fieldNamesOf(dtoClass)).map((one) =>
      describeUnknownField(one, dtoClass, this.directory),
    );
  }

  private toError(unknown: FieldProblem[], sorted: ValidationError[]): AppError {
    for (const error of unknown.length > 0 ? [] : sorted) {
      const code = codeOf(error);
      if (code) return new AppError(code, messageOf(error));
    }
    const messages = [
      ...unknown.slice(0, MAX_SENTENCES).map(({ message }) => message),
      ...sorted.filter((error) => !codeOf(error)).map(sentenceOf),
    ];
    return new AppError(this.options.defaultCode ?? 'INVALID_REQUEST', messages.join('; '));
  }
}

/** The code is that of the first violated rule, unless there are unknown fields; every invalid field is listed. */
function v1Error(unknown: FieldProblem[], errors: ValidationError[]): AppError {
  // A rule of an object with an unknown field may only repeat that the field is missing under its right name.
  const objects = new Set(unknown.map(({ field }) => /^[^.[]+(?=[.[])/.exec(field)?.[0]));
  const violations = errors.filter(({ property }) => !objects.has(property));
  const fields = [
    ...unknown,
    ...violations.map((error) => ({ field: pathOf(error), message: messageOf(error) })),
  ].slice(0, MAX_FIELDS);
  const [first] = unknown.length === 0 ? violations : [];
  const message = fields[0]?.message ?? 'The request is not valid.';
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

function pathOf({ constraints, contexts, property, value }: ValidationError): string {
  const [name = ''] = Object.keys(constraints ?? {});
  return (contexts?.[name] as RuleContext | undefined)?.pathOf?.(value) ?? property;
}

function messageOf({ constraints }: ValidationError): string {
  return Object.values(constraints ?? {})[0] ?? 'The request is not valid.';
}

function sentenceOf(error: ValidationError): string {
  const { property } = error;
  return `${property}: ${messageOf(error).replace(new RegExp(`^(?:each value in )?${property} `), '')}`;
}
