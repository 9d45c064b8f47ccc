import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { connect, type Context } from '../context';
import { CommandError, EXIT } from '../exit-codes';
import { plain, progressBar, table, type Output } from '../output';
import { defined, repeated } from '../values';

const POLL_MS = 500;

interface ImportOptions {
  group?: string[];
  onConflict?: 'update' | 'skip';
  defaultCountry?: string;
}

export function addImport(program: Command, contextOf: (command: Command) => Context): void {
  program
    .command('import')
    .argument('<file>', 'CSV file with a line of column names')
    .description('Import contacts from a CSV file')
    .option('--group <id>', 'id of a group to which they are added; repeat it for others', repeated)
    .option('--on-conflict <action>', 'update or skip contacts that exist')
    .option('--default-country <code>', 'country of numbers without a prefix, such as IN')
    .action(async (file: string, options: ImportOptions, command: Command) =>
      importContacts(file, options, contextOf(command)),
    );
}

async function importContacts(file: string, options: ImportOptions, context: Context): Promise<void> {
  const { output, signal } = context;
  const { client } = await connect(context);
  const size = await sizeOf(file);
  const settings = defined({
    group_ids: options.group,
    on_conflict: options.onConflict,
    default_country: options.defaultCountry,
  });
  const content = streamOf(file, size, output);
  let job = await client.contacts.imports.create(
    {
      file: { content, name: path.basename(file), type: 'text/csv' },
      ...(Object.keys(settings).length > 0 ? { options: settings } : {}),
    },
    { signal, timeoutMs: 600_000 },
  );
  while (job.status === 'queued' || job.status === 'running') {
    const done = job.created + job.updated + job.skipped + job.invalid;
    output.progress(`Importing ${progressBar(done, Math.max(job.total, 1))} ${done} of ${job.total || '?'}`);
    await delay(POLL_MS, undefined, { signal });
    job = await client.contacts.imports.get(job.id, { signal });
  }
  output.endProgress();
  const { created, updated, skipped, invalid, errors, error } = job;
  const problems = errors.map(({ row, field, message }) => [`  row ${row}`, field, message]);
  const summary = `${created} created, ${updated} updated, ${skipped} skipped, ${invalid} invalid`;
  output.result(job, problems.length > 0 ? `${summary}\n${table(problems)}` : summary);
  if (job.status === 'failed') throw new CommandError(plain(error?.message ?? 'The import failed.'), EXIT.refused);
  if (invalid > 0) output.note(`heliograph api contacts.imports.errors ${job.id} gives the invalid rows as CSV.`);
}

async function sizeOf(file: string): Promise<number> {
  try {
    const { size } = await stat(file);
    return size;
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
}

/** The content of the file. Shows how much was sent. */
function streamOf(file: string, size: number, output: Output): ReadableStream<Uint8Array> {
  let sent = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(file)) {
      sent += (chunk as Buffer).length;
      output.progress(`Uploading ${progressBar(sent, size)}`);
      yield new Uint8Array(chunk as Buffer);
    }
  };
  return Readable.toWeb(Readable.from(counted(), { objectMode: false })) as ReadableStream<Uint8Array>;
}
