import { listDeadLetters, replayDeadLetters } from './dead-letters';
import { erasePerson } from './erase';
import { provisionFile } from './provision-file';
import { rebuildRange } from './rebuild-analytics';
import { reconcileLedger } from './reconcile';
import { requeue } from './requeue';
import { resealSecrets } from './reseal';
import { revokeKey } from './revoke-key';
import { UsageError } from './usage-error';

interface Command {
  arguments: string;
  summary: string;
  /** Resolves with false if the command ran and found differences. */
  run(args: readonly string[], stop?: AbortSignal): Promise<boolean>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  'dead-letters list': {
    arguments: '<queue> [limit]',
    summary: 'Print the dead letters of a queue, one JSON object per line (limit: 100).',
    run: listDeadLetters,
  },
  'dead-letters replay': {
    arguments: '<queue> [limit]',
    summary: 'Return dead letters to their queue (limit: 100).',
    run: replayDeadLetters,
  },
  erase: {
    arguments: '<organization slug> <email or number>',
    summary: 'Erase a person from an organization. Requires PERSON_HASH_KEYS.',
    run: erasePerson,
  },
  migrate: {
    arguments: '',
    summary: 'Migrate the schemas of all services, and create their logins from <SERVICE>_DATABASE_URL.',
    // The definitions of the services load all of their modules, which no other command needs.
    run: async (args, stop) => (await import('./migrate')).migrateServices(args, stop),
  },
  provision: {
    arguments: '<file>',
    summary: 'Apply a provisioning file. Requires the keys of the services: SECRETS_KEYS, EMAIL_SECRETS_KEYS.',
    run: provisionFile,
  },
  'rebuild-analytics': {
    arguments: '--from <time> --until <time>',
    summary: 'Count analytics again from the message tables and print what differed.',
    run: rebuildRange,
  },
  reconcile: {
    arguments: '',
    summary: 'Compare every balance with the ledger and print the differences.',
    run: reconcileLedger,
  },
  requeue: {
    arguments: '[--channel <name>]... [--older-than <age>]',
    summary: 'Publish due jobs again whose events the broker lost (all channels, age: 1m).',
    run: requeue,
  },
  reseal: {
    arguments: '',
    summary:
      'Encrypt all secrets with the first key of SECRETS_KEYS and EMAIL_SECRETS_KEYS. The command can be repeated.',
    run: resealSecrets,
  },
  'revoke-key': {
    arguments: '<file>',
    summary: 'Revoke the API key that the file contains (-: standard input), for a key that has leaked.',
    run: revokeKey,
  },
};

const EXIT_CODES = { success: 0, differences: 1, error: 2 } as const;

function help(): string {
  const usages = Object.entries(COMMANDS).map(([name, command]) => ({
    ...command,
    usage: `${name} ${command.arguments}`,
  }));
  const width = Math.max(...usages.map(({ usage }) => usage.length));
  return [
    'Usage: npm run ops -- <command>',
    '',
    ...usages.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`),
    '',
    'Operates on the deployment of DATABASE_URL, and AMQP_URL if it uses RabbitMQ; without DATABASE_URL, on the running',
    'local stack of DATA_DIR.',
    'Exit codes: 0 success, 1 differences found, 2 error.',
  ].join('\n');
}

/**
 * Runs the command named by the first arguments, and prints its result or its error. Resolves with the exit code of the
 * process; never rejects. `stop` ends a command that can be rolled back.
 */
export async function runCommand(args: readonly string[], stop?: AbortSignal): Promise<number> {
  try {
    return await dispatch(args, stop);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof UsageError) console.error(`\n${help()}`);
    return EXIT_CODES.error;
  }
}

async function dispatch(args: readonly string[], stop: AbortSignal | undefined): Promise<number> {
  if (args.length === 0 || args.includes('--help')) {
    console.log(help());
    return EXIT_CODES.success;
  }
  const [name, command] =
    Object.entries(COMMANDS).find(([each]) => each === args.slice(0, each.split(' ').length).join(' ')) ?? [];
  if (name === undefined || command === undefined) throw new UsageError(`Unknown command: ${args.join(' ')}`);
  const succeeded = await command.run(args.slice(name.split(' ').length), stop);
  return succeeded ? EXIT_CODES.success : EXIT_CODES.differences;
}
