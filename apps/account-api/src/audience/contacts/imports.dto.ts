import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { isCountryCode } from '@heliograph/addresses';
import {
  CONSENT_CHANNELS,
  CONSENTS,
  IMPORT_FIELDS,
  IMPORT_STATUSES,
  isImportField,
  ON_CONFLICT,
  type ContactImport,
  type ImportError,
  type ImportFailure,
  type ImportOptions,
} from '@heliograph/contacts';
import { isId } from '@heliograph/database';
import type { ErrorCode } from '@heliograph/errors';
import { isJsonObject, isStorableText, rule, v1Timestamp, V1Request } from '@heliograph/service-kit';
import { Type } from 'class-transformer';
import { IsIn, IsOptional, ValidateNested } from 'class-validator';
import { MAX_GROUPS } from './contact-rules';
import { V1ContactRequest } from './contacts.dto';

const MAX_COLUMNS = 200;

export class V1ImportError implements ImportError {
  /** Number of the row in the file, including empty rows. The header of a CSV file is row 1. */
  row: Integer;
  field: string | null;
  message: string;
}

export class V1ImportFailure implements ImportFailure {
  /** `INVALID_REQUEST` if the file cannot be read. */
  @ApiProperty({ enum: ['INVALID_REQUEST', 'LIMIT_REACHED', 'INTERNAL_ERROR'] })
  code: ErrorCode;
  message: string;
}

export class V1ContactImport {
  id: Uuid;
  status: (typeof IMPORT_STATUSES)[number];
  /** Number of rows processed so far, without the header. */
  total: Integer;
  created: Integer;
  /** Number of rows of existing contacts, including those without changes. */
  updated: Integer;
  skipped: Integer;
  invalid: Integer;
  /** The first 100 errors. `errors.csv` contains the first 10,000 errors. */
  errors: V1ImportError[];
  /** Reason why the import failed as a whole. The rows that were processed before are retained. */
  error: V1ImportFailure | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;

  static of(one: ContactImport, errors: ImportError[]): V1ContactImport {
    const { id, status, total, created, updated, skipped, invalid, error } = one;
    return {
      id,
      status,
      total,
      created,
      updated,
      skipped,
      invalid,
      errors,
      error,
      created_at: v1Timestamp(one.createdAt),
      finished_at: v1Timestamp(one.finishedAt),
    };
  }
}

class V1ImportOptions implements ImportOptions {
  /** Maps the name of each column to a field of a contact or to `attributes.NAME`. By default, columns are mapped by their names. */
  @IsOptional()
  @rule(
    'is_mapping',
    `$property must map columns to ${Object.keys(IMPORT_FIELDS).join(', ')}, or attributes.NAME.`,
    (value) =>
      isJsonObject(value) &&
      Object.keys(value).length <= MAX_COLUMNS &&
      Object.entries(value).every(([column, field]) => isStorableText(column) && isImportField(field)),
  )
  mapping?: Record<string, string>;

  @ApiProperty({ format: 'uuid' })
  @IsOptional()
  @rule(
    'are_ids',
    `$property must be a list of at most ${MAX_GROUPS} ids.`,
    (value) => Array.isArray(value) && value.length <= MAX_GROUPS && value.every(isId),
  )
  group_ids?: string[];

  /** @default update */
  @IsOptional()
  @IsIn(ON_CONFLICT, { message: '$property must be update or skip.' })
  on_conflict?: (typeof ON_CONFLICT)[number];

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  @IsOptional()
  @rule(
    'is_consent',
    `$property must be an object with sms, email or chatapp, each one of: ${CONSENTS.join(', ')}.`,
    (value) =>
      isJsonObject(value) &&
      Object.entries(value).every(
        ([channel, status]) =>
          CONSENT_CHANNELS.some((known) => known === channel) && CONSENTS.some((known) => known === status),
      ),
  )
  consent?: ImportOptions['consent'];

  /**
   * Country of phone numbers in national format, as an ISO 3166-1 alpha-2 code. Numbers may contain spaces and punctuation, and begin with
   * `+`, `00` or the calling code.
   * @example IN
   */
  @IsOptional()
  @rule(
    'is_country',
    '$property must be an ISO 3166-1 alpha-2 code such as IN.',
    (value) => typeof value === 'string' && isCountryCode(value.toUpperCase()),
  )
  default_country?: string;
}

/** The options of an import, which a form and a JSON body contain. */
@V1Request()
export class V1ImportSettings {
  @ValidateNested({ message: 'options must be a JSON object.' })
  @Type(() => V1ImportOptions)
  options: V1ImportOptions;
}

export class V1ImportUpload {
  /** CSV file of at most 100 MB and 1,000,000 rows. */
  @ApiProperty({ type: 'string', format: 'binary' })
  file: string;
  options?: V1ImportOptions;
}

/** A contact in a JSON list. Groups and consent are options of the whole import. */
export class V1ImportedContact extends PickType(V1ContactRequest, [
  'email',
  'phone',
  'first_name',
  'last_name',
  'language',
  'country',
  'time_zone',
  'attributes',
]) {}

export class V1ImportList {
  /** At least one contact, in at most 10 MB of JSON. */
  contacts: V1ImportedContact[];
  options?: V1ImportOptions;
}
