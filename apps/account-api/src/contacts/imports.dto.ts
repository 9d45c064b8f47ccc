import { ApiProperty, PickType } from '@nestjs/swagger';
import {
  IMPORT_STATUSES,
  type ContactImport,
  type ImportError,
  type ImportFailure,
  type ImportStatus,
} from '@heliograph/contacts';
import type { ErrorCode } from '@heliograph/errors';
import { v1Timestamp } from '@heliograph/service-kit';
import { V1ContactRequest } from './contacts.dto';

export class V1ImportError implements ImportError {
  @ApiProperty({
    type: 'integer',
    description: 'Number of the row in the file, including empty rows. The header of a CSV file is row 1',
  })
  row: number;
  @ApiProperty({ type: String, nullable: true })
  field: string | null;
  @ApiProperty()
  message: string;
}

export class V1ImportFailure implements ImportFailure {
  @ApiProperty({
    enum: ['INVALID_REQUEST', 'LIMIT_REACHED', 'INTERNAL_ERROR'],
    description: '`INVALID_REQUEST` if the file cannot be read',
  })
  code: ErrorCode;
  @ApiProperty()
  message: string;
}

export class V1ContactImport {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: IMPORT_STATUSES })
  status: ImportStatus;
  @ApiProperty({ type: 'integer', description: 'Number of rows processed so far, without the header' })
  total: number;
  @ApiProperty({ type: 'integer' })
  created: number;
  @ApiProperty({ type: 'integer', description: 'Number of rows of existing contacts, including those without changes' })
  updated: number;
  @ApiProperty({ type: 'integer' })
  skipped: number;
  @ApiProperty({ type: 'integer' })
  invalid: number;
  @ApiProperty({
    type: [V1ImportError],
    description: 'The first 100 errors. `errors.csv` contains the first 10,000 errors',
  })
  errors: V1ImportError[];
  @ApiProperty({
    type: V1ImportFailure,
    nullable: true,
    description: 'Reason why the import failed as a whole. The rows that were processed before are retained',
  })
  error: V1ImportFailure | null;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;

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
  @ApiProperty({
    type: 'object',
    required: false,
    additionalProperties: { type: 'string' },
    description:
      'Maps the name of each column to a field of a contact or to `attributes.NAME`. By default, columns are mapped by their names',
  } as never)
  mapping?: object;
  @ApiProperty({ type: [String], format: 'uuid', required: false })
  group_ids?: string[];
  @ApiProperty({ enum: ['update', 'skip'], default: 'update', required: false })
  on_conflict?: string;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, required: false } as never)
  consent?: object;
  @ApiProperty({
    required: false,
    example: 'IN',
    description:
      'Country of phone numbers in national format, as an ISO 3166-1 alpha-2 code. Numbers may contain spaces and punctuation, and ' +
      'begin with `+`, `00` or the calling code',
  })
  default_country?: string;
}

export class V1ImportUpload {
  @ApiProperty({ type: 'string', format: 'binary', description: 'CSV file of at most 100 MB and 1,000,000 rows' })
  file: string;
  @ApiProperty({ type: V1ImportOptions, required: false })
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
  @ApiProperty({ type: [V1ImportedContact], description: 'At least one contact, in at most 10 MB of JSON' })
  contacts: V1ImportedContact[];
  @ApiProperty({ type: V1ImportOptions, required: false })
  options?: V1ImportOptions;
}
