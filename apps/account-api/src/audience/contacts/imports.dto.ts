import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { IMPORT_STATUSES, type ContactImport, type ImportError, type ImportFailure } from '@heliograph/contacts';
import type { ErrorCode } from '@heliograph/errors';
import { v1Timestamp } from '@heliograph/service-kit';
import { V1ContactRequest } from './contacts.dto';

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

class V1ImportOptions {
  /** Maps the name of each column to a field of a contact or to `attributes.NAME`. By default, columns are mapped by their names. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  mapping?: object;
  @ApiProperty({ format: 'uuid' })
  group_ids?: string[];
  /** @default update */
  @ApiProperty({ enum: ['update', 'skip'] })
  on_conflict?: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  consent?: object;
  /**
   * Country of phone numbers in national format, as an ISO 3166-1 alpha-2 code. Numbers may contain spaces and punctuation, and begin with
   * `+`, `00` or the calling code.
   * @example IN
   */
  default_country?: string;
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
