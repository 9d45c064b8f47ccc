import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { FaqRecord, Heliograph, ImportedFaq } from '@heliograph/sdk';
import type { Command } from 'commander';
import { connect, type Context } from '../context';
import { CommandError, EXIT } from '../exit-codes';
import { faqOf, markdownOf } from '../faq-files';
import { plain } from '../output';

const FAQS_PER_CALL = 100;

interface PushOptions {
  yes?: boolean;
  delete?: boolean;
  dryRun?: boolean;
}

type Faq = Required<Pick<ImportedFaq, 'id' | 'question' | 'answer'>> & ImportedFaq;

interface Changes {
  added: Faq[];
  changed: { before: Faq; after: Faq }[];
  removed: Faq[];
}

export function addBots(program: Command, contextOf: (command: Command) => Context): void {
  const bots = program.command('bots').description('The FAQs of bots as a folder of Markdown files');
  bots
    .command('pull')
    .argument('<bot>', 'id of the bot')
    .argument('<folder>', 'one file for each FAQ')
    .description('Write the FAQs of a bot to a folder')
    .action(async (bot: string, folder: string, _: object, command: Command) => pull(bot, folder, contextOf(command)));
  bots
    .command('push')
    .argument('<bot>', 'id of the bot')
    .argument('<folder>', 'one file for each FAQ')
    .description('Show what differs, and change the FAQs of a bot to those of a folder')
    .option('--yes', 'do not ask')
    .option('--delete', 'also delete FAQs that have no file')
    .option('--dry-run', 'only show what differs; the exit code is 6 if anything does')
    .action(async (bot: string, folder: string, options: PushOptions, command: Command) =>
      push(bot, folder, options, contextOf(command)),
    );
}

async function pull(bot: string, folder: string, context: Context): Promise<void> {
  const { client } = await connect(context);
  const remote = await remoteFaqs(client, bot);
  await mkdir(folder, { recursive: true });
  const local = await localFaqs(folder).catch(() => []);
  const changes = changesOf(local, remote);
  for (const faq of remote) await writeFile(path.join(folder, fileName(faq.id)), markdownOf(faq));
  const text = [...diffOf(context, changes, false), `${remote.length} FAQ(s) in ${folder}.`].join('\n');
  context.output.result({ written: remote.length, ...countsOf(changes) }, text);
}

async function push(bot: string, folder: string, options: PushOptions, context: Context): Promise<void> {
  const { output } = context;
  const { client } = await connect(context);
  const local = await localFaqs(folder);
  const changes = changesOf(await remoteFaqs(client, bot), local);
  if (!options.delete) changes.removed = [];
  const { added, changed, removed } = changes;
  const count = added.length + changed.length + removed.length;
  if (count === 0) return output.result({ applied: false, ...countsOf(changes) }, 'Nothing differs.');
  for (const line of diffOf(context, changes, true)) output.note(line);
  if (options.dryRun) {
    output.result({ applied: false, ...countsOf(changes) }, `${count} FAQ(s) differ.`);
    throw new CommandError('Nothing was changed.', EXIT.problem);
  }
  if (!options.yes) await confirm(`Apply ${count} change(s) to ${bot}?`);
  const faqs = [...added, ...changed.map(({ after }) => after)];
  for (let at = 0; at < faqs.length; at += FAQS_PER_CALL) {
    await client.bots.faqs.import(bot, { faqs: faqs.slice(at, at + FAQS_PER_CALL) });
  }
  for (const { id } of removed) await client.bots.faqs.delete(bot, id);
  output.result({ applied: true, ...countsOf(changes) }, `${count} change(s) were applied.`);
}

const countsOf = ({ added, changed, removed }: Changes): Record<string, number> => ({
  added: added.length,
  changed: changed.length,
  removed: removed.length,
});

async function remoteFaqs(client: Heliograph, bot: string): Promise<Faq[]> {
  const faqs: Faq[] = [];
  for await (const faq of client.bots.faqs.list(bot, { limit: 100 })) faqs.push(withoutTimes(faq));
  return faqs;
}

const withoutTimes = ({ createdAt: _created, updatedAt: _updated, ...faq }: FaqRecord): Faq => faq;

async function localFaqs(folder: string): Promise<Faq[]> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new CommandError(`${folder} cannot be read: ${error.message}`, EXIT.usage);
  });
  const files = names.filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    files.map(async (name) => faqOf(name.replace(/\.md$/, ''), await readFile(path.join(folder, name), 'utf8'))),
  );
}

/** An id is part of a path. */
function fileName(id: string): string {
  if (!/^[\w.-]+$/.test(id) || id.startsWith('.')) throw new CommandError(`The id ${id} cannot be a file name.`);
  return `${id}.md`;
}

/** What has to change before `before` is `after`. */
function changesOf(before: Faq[], after: Faq[]): Changes {
  const known = new Map(before.map((faq) => [faq.id, faq]));
  const wanted = new Set(after.map(({ id }) => id));
  return {
    added: after.filter(({ id }) => !known.has(id)),
    changed: after.flatMap((faq) => {
      const old = known.get(faq.id);
      return old && markdownOf(old) !== markdownOf(faq) ? [{ before: old, after: faq }] : [];
    }),
    removed: before.filter(({ id }) => !wanted.has(id)),
  };
}

function diffOf({ output }: Context, { added, changed, removed }: Changes, showsRemoved: boolean): string[] {
  return [
    ...added.map(({ id, question }) => output.color('green', `+ ${id}: ${plain(question)}`)),
    ...changed.flatMap(({ before, after }) => [
      output.color('yellow', `~ ${after.id}: ${plain(after.question)}`),
      ...linesOf(output, markdownOf(before).split('\n'), markdownOf(after).split('\n')),
    ]),
    ...(showsRemoved ? removed.map(({ id, question }) => output.color('red', `- ${id}: ${plain(question)}`)) : []),
  ];
}

/** The lines that one of two texts has and the other does not. */
function linesOf(output: Context['output'], before: string[], after: string[]): string[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => output.color('red', `    - ${plain(line)}`)),
    ...after.filter((line) => !before.includes(line)).map((line) => output.color('green', `    + ${plain(line)}`)),
  ];
}

async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError(`${question} Add --yes to apply it without a terminal.`, EXIT.usage);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was changed.');
  } finally {
    lines.close();
  }
}
