import type { IncomingMessage } from 'node:http';
import { Controller, Get, Param, Post, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiResponse } from '@nestjs/swagger';
import { Idempotent, IdempotencyClaim, type StreamedClaim } from '@heliograph/idempotency';
import { AdmittedByService, BodyStream, V1Operation } from '@heliograph/service-kit';
import { RequireV1Permission } from '../../access/access.decorators';
import { CurrentCaller, type Caller } from '../../access/caller';
import { csvLine } from '../../http/csv';
import { V1Api } from '../../developer/reference/v1-api';
import { V1ContactImport, V1ImportUpload } from './imports.dto';
import { ContactImportsService } from './imports.service';

@V1Api('v1: contacts')
@Controller('api/v1/contacts/import')
export class V1ContactImportsController {
  constructor(private readonly imports: ContactImportsService) {}

  @Post()
  @AdmittedByService()
  @RequireV1Permission('contacts:write')
  @Idempotent({ endpoint: 'v1.contacts.import', streamed: true })
  @ApiConsumes('multipart/form-data', 'text/csv', 'application/json')
  @ApiBody({ required: true, type: V1ImportUpload })
  @V1Operation({
    id: 'v1ImportContacts',
    summary: 'Import contacts from a file',
    description:
      'Send a CSV file as `multipart/form-data` with the parts `file` and `options` (JSON), a CSV file as `text/csv`, or JSON with ' +
      'the fields `contacts` and `options`. An unknown field of a contact refuses the whole list; a contact record of the API can be ' +
      'sent as it is. A worker imports the contacts in the background. Rows are imported one after the other. A row ' +
      'updates the contact with its email address; if there is none, the contact with its phone number, unless that contact has ' +
      'another email address. A row whose phone number belongs to another contact waits for the end of the file, together with later ' +
      'rows of its email address, so that contacts of one file can exchange their numbers (at most 20,000 waiting rows, and 1,000 ' +
      'contacts in one exchange). If the number still belongs to the other contact then, the row is invalid. A CSV file is in UTF-8, in UTF-16 with a byte order mark, or in ' +
      'Windows-1252 as Excel saves it; its columns are separated by commas, semicolons or tabs, or as a first line such as `sep=;` says. ' +
      'Empty rows are skipped. After the first minute, an upload must progress with 10 kB per second on average. The CSV of a contacts report can be imported again: its columns `id`, `groups`, `consent`, `source`, ' +
      '`created_at` and `updated_at` are ignored, and contacts without changes keep `updated_at`.',
    status: 202,
    response: V1ContactImport,
    errors: ['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'],
    sample: {
      body: { file: '@contacts.csv' },
      contentType: 'multipart/form-data',
      before: ["printf 'email,first_name\\nzoe@elsewhere.example,Zoe\\n' > contacts.csv"],
    },
  })
  upload(
    @CurrentCaller() caller: Caller,
    @BodyStream() request: IncomingMessage,
    @IdempotencyClaim() claim: StreamedClaim | null,
  ): Promise<V1ContactImport> {
    return this.imports.upload(caller, request, claim);
  }

  @Get(':importId')
  @RequireV1Permission('contacts:read')
  @V1Operation({
    id: 'v1GetContactImport',
    summary: 'Get the progress of an import',

    description:
      'Call it every few seconds until the status is `completed` or `failed`. Contains the first 100 invalid rows.',
    response: V1ContactImport,
    errors: ['NOT_FOUND'],
    sample: {
      values: {
        importId: {
          create: '/api/v1/contacts/import',
          body: { contacts: [{ email: 'zoe@elsewhere.example', first_name: 'Zoe' }] },
        },
      },
    },
  })
  get(@CurrentCaller() caller: Caller, @Param('importId') id: string): Promise<V1ContactImport> {
    return this.imports.get(caller, id);
  }

  @Get(':importId/errors.csv')
  @RequireV1Permission('contacts:read')
  @ApiResponse({ status: 200, content: { 'text/csv': { schema: { type: 'string', format: 'binary' } } } })
  @V1Operation({
    id: 'v1GetContactImportErrors',
    summary: 'Download the errors of an import',

    description: 'The file has the row, the field and the message of every invalid row.',
    errors: ['NOT_FOUND'],
    sample: {
      values: {
        importId: {
          create: '/api/v1/contacts/import',
          body: { contacts: [{ email: 'zoe@elsewhere.example', first_name: 'Zoe' }] },
        },
      },
    },
  })
  async errors(@CurrentCaller() caller: Caller, @Param('importId') id: string): Promise<StreamableFile> {
    const rows = await this.imports.errors(caller, id);
    const text = [['row', 'field', 'message'], ...rows].map(csvLine).join('');
    return new StreamableFile(Buffer.from(text), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="errors.csv"',
    });
  }
}
