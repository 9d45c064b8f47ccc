import { ArgumentMetadata, Injectable, PipeTransform, type Type } from '@nestjs/common';
import { AppError, type ErrorCode } from '@heliograph/errors';
import type { FieldDirectory } from '../fields/field-directory';
import { fieldNamesOf } from '../fields/field-names';
import { describeUnknownField } from '../fields/unknown-field-errors';
import { unknownFields } from '../fields/unknown-fields';
import { isV1Request } from '../v1/v1-request';
import { MalformedInput } from './malformed-input';
import { dtoType, toDto } from './to-dto';
import { violationsOf, type Violation } from './violations';

const MAX_FIELDS = 100;
/** Maximum number of unknown fields and of violated rules in a message. */
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
 * Converts a body or a query string to its DTO, with the nested DTOs of `@Type()`, and validates it. A field that the DTO does not
 * have is an error.
 *
 * Nest's own `ValidationPipe` builds the DTO with class-transformer, which reads `value.constructor` of every nested
 * object: `{"from": {"constructor": 1}}` then ends in a TypeError. This pipe copies the own properties that have a rule, so that
 * `constructor`, `__proto__` and `prototype` are ordinary names.
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
    const violations = violationsOf(dto);
    if (unknown.length + violations.length === 0) return null;
    return isV1Request(dtoClass) ? v1Error(unknown, violations) : this.toError(unknown, violations);
  }

  private unknownFieldsOf(request: object, dtoClass: Type<object>): FieldProblem[] {
    if (this.options.ignoresUnknownFields) return [];
    return unknownFields(request, fieldNamesOf(dtoClass)).map((one) =>
      describeUnknownField(one, dtoClass, this.directory),
    );
  }

  private toError(unknown: FieldProblem[], violations: Violation[]): AppError {
    const own = unknown.length === 0 ? violations.find(({ code }) => code) : undefined;
    if (own?.code) return new AppError(own.code, own.message);
    const messages = [
      ...unknown.slice(0, MAX_SENTENCES).map(({ message }) => message),
      ...violations
        .filter(({ code }) => !code)
        .slice(0, MAX_SENTENCES)
        .map(sentenceOf),
    ];
    return new AppError(this.options.defaultCode ?? 'INVALID_REQUEST', messages.join('; '));
  }
}

/** The code is that of the first violated rule, unless there are unknown fields; every invalid field is listed. */
function v1Error(unknown: FieldProblem[], violations: Violation[]): AppError {
  // A rule of an object with an unknown field may only repeat that the field is missing under its right name.
  const objects = new Set(unknown.filter(({ field }) => /[.[]/.test(field)).map(({ field }) => rootOf(field)));
  const others = violations.filter(({ path }) => !objects.has(rootOf(path)));
  const fields = [...unknown, ...others.map(({ path, message }) => ({ field: path, message }))].slice(0, MAX_FIELDS);
  const code = unknown.length === 0 ? others[0]?.code : undefined;
  const message = fields[0]?.message ?? 'The request is not valid.';
  return new AppError(code ?? 'INVALID_REQUEST', message, { details: { fields } });
}

/** The field of the request in a path such as `recipients[3].variables`. */
function rootOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}

function repeatedField(query: object): AppError | null {
  const repeated = Object.entries(query).find(([, value]) => Array.isArray(value));
  if (!repeated) return null;
  return new AppError('INVALID_REQUEST', `The parameter ${repeated[0]} was sent more than once. Send it once.`);
}

function sentenceOf({ path, message }: Violation): string {
  return `${path}: ${message.startsWith(`${path} `) ? message.slice(path.length + 1) : message}`;
}
