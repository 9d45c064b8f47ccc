import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  ImportsRepository,
  MAX_STORED_ERRORS,
  unknownGroups,
  type ImportFormat,
  type ImportOptions,
} from '@heliograph/contacts';
import { AlreadyClaimedError, IdempotencyService, type StreamedClaim } from '@heliograph/idempotency';
import {
  acceptedBodyType,
  fieldError,
  isMultipart,
  readBody,
  RequestValidationPipe,
  v1NotFound,
  type BodyFormats,
} from '@heliograph/service-kit';
import { UnitOfWork } from '@heliograph/tenancy';
import type { Caller } from '../../access/caller';
import { ContactListReader } from './contact-list-reader';
import { passOnUpload } from './import-upload';
import { V1ContactImport, V1ImportSettings } from './imports.dto';

const MAX_JSON_BYTES = 10_000_000;
const SHOWN_ERRORS = 100;
const CHUNK_ROWS = 500;

const IMPORT_FORMATS: BodyFormats = {
  mediaTypes: ['multipart/form-data', 'text/csv', 'application/json'],
  charset: { pattern: /^utf-?(?:8|16(?:le|be)?)$/i, name: 'UTF-8 or UTF-16' },
};

/** Accepts files of contacts, which a worker imports, and reports the progress. */
@Injectable()
export class ContactImportsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly imports: ImportsRepository,
    private readonly idempotency: IdempotencyService,
  ) {}

  /** Sets the fingerprint of the claim. Throws INVALID_REQUEST, PAYLOAD_TOO_LARGE. */
  upload(
    { organizationId, actor }: Caller,
    request: IncomingMessage,
    claim: StreamedClaim | null,
  ): Promise<V1ContactImport> {
    return this.idempotency.run(claim, async () => {
      const format = formatOf(request);
      const id = await this.imports.begin(organizationId, format);
      try {
        let position = 0;
        const store = (chunk: Buffer): Promise<void> => this.imports.addChunk(id, position++, chunk);
        const { given, sha256 } = format === 'json' ? await storeJson(request, store) : await storeFile(request, store);
        const fingerprint = createHash('sha256')
          .update(`${sha256} ${JSON.stringify(given)}`)
          .digest('hex');
        if (claim) claim.fingerprint = fingerprint;
        if (claim?.isRepeat) throw new AlreadyClaimedError();
        if (position === 0)
          throw fieldError('INVALID_REQUEST', 'file', 'The file is empty. Send a file with at least one contact.');
        const options = readOptions(given);
        const write = { actor, claim: claim && { ...claim, fingerprint } };
        return await this.unitOfWork.run(write, async ({ transaction, audit }) => {
          const [unknown] = await unknownGroups(transaction, organizationId, options.group_ids ?? []);
          if (unknown) {
            const message = `options.group_ids: the group ${unknown} does not exist.`;
            throw fieldError('INVALID_REQUEST', 'options.group_ids', message);
          }
          const queued = await this.imports.enqueue(transaction, id, options);
          await audit({
            organizationId,
            action: 'contact.import.created',
            target: { type: 'contact.import', id },
            before: null,
            after: { format },
          });
          return V1ContactImport.of(queued, []);
        });
      } catch (error) {
        await this.imports.discard(id);
        throw error;
      }
    });
  }

  /** Throws NOT_FOUND. */
  async get({ organizationId }: Caller, id: string): Promise<V1ContactImport> {
    const found = await this.imports.find(organizationId, id);
    if (!found) throw v1NotFound('import');
    return V1ContactImport.of(found, await this.imports.errors(id, SHOWN_ERRORS));
  }

  /** Returns the stored errors as rows of a table. Throws NOT_FOUND. */
  async errors({ organizationId }: Caller, id: string): Promise<(string | number)[][]> {
    const found = await this.imports.find(organizationId, id);
    if (!found) throw v1NotFound('import');
    const errors = await this.imports.errors(id, MAX_STORED_ERRORS);
    return errors.map(({ row, field, message }) => [row, field ?? '', message]);
  }
}

function formatOf(request: IncomingMessage): ImportFormat {
  // Not `acceptedBodyType`, because some clients do not quote the boundary as they should.
  if (isMultipart(request)) return 'csv';
  return acceptedBodyType(request.headers['content-type'], IMPORT_FORMATS) === 'text/csv' ? 'csv' : 'json';
}

async function storeFile(
  request: IncomingMessage,
  store: (chunk: Buffer) => Promise<void>,
): Promise<{ given: unknown; sha256: string }> {
  const { options, sha256 } = await passOnUpload(request, store);
  return { given: options === null ? {} : parseOptions(options), sha256 };
}

/** Parses the body in pieces, so that a large list does not block other calls and is never completely in memory. */
async function storeJson(
  request: IncomingMessage,
  store: (chunk: Buffer) => Promise<void>,
): Promise<{ given: unknown; sha256: string }> {
  const { bytes } = await readBody(request, MAX_JSON_BYTES);
  const reader = new ContactListReader();
  let count = 0;
  const flush = async (minimum: number): Promise<void> => {
    while (reader.lines.length >= minimum) {
      const lines = reader.lines.splice(0, CHUNK_ROWS);
      count += lines.length;
      await store(Buffer.from(lines.join('')));
    }
  };
  const steps = reader.read(bytes);
  while (!steps.next().done) {
    await nextTurn();
    await flush(CHUNK_ROWS);
  }
  await flush(1);
  if (count === 0) {
    throw fieldError('INVALID_REQUEST', 'contacts', 'contacts must be a list of at least one contact.');
  }
  return { given: reader.options, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** A null value counts as missing. */
function readOptions(given: unknown): ImportOptions {
  const metadata = { type: 'body', metatype: V1ImportSettings } as const;
  const { options } = new RequestValidationPipe().transform({ options: given }, metadata) as V1ImportSettings;
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}

function parseOptions(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fieldError('INVALID_REQUEST', 'options', 'options must be a JSON object.');
  }
}
