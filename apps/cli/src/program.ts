import { VERSION } from '@heliograph/sdk';
import { Command, CommanderError } from 'commander';
import type { Environment } from './cli.config';
import { addApi } from './commands/api';
import { addBots } from './commands/bots';
import { addCampaigns } from './commands/campaigns';
import { addCompletion } from './commands/completion';
import { addDoctor } from './commands/doctor';
import { addImport } from './commands/import-contacts';
import { addLogin } from './commands/login';
import { addMcp } from './commands/mcp';
import { addQuote, addSend } from './commands/send';
import { addTails } from './commands/tail';
import { addWebhooks } from './commands/webhooks';
import { contextOf } from './context';
import { EXIT, exitCodeOf } from './exit-codes';
import { isAbort } from './follow';
import { Output } from './output';

/** The commands. */
export function createProgram(environment: Environment, signal: AbortSignal): Command {
  const program = new Command('heliograph')
    .description('Command line of the Heliograph messaging APIs')
    .version(VERSION)
    .option('--json', 'print results and errors as JSON')
    .option('--workspace <id>', 'id of the workspace in which calls act')
    .option('--base-url <url>', 'address of the installation')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  const context = (command: Command) => contextOf(command, environment, signal);
  addLogin(program, context);
  addSend(program, context);
  addQuote(program, context);
  addTails(program, context);
  addWebhooks(program, context);
  addImport(program, context);
  addCampaigns(program, context);
  addBots(program, context);
  addDoctor(program, context);
  addApi(program, context);
  addCompletion(program, context);
  addMcp(program, context);
  return program;
}

/** Runs a command line. Resolves with the exit code. */
export async function run(args: readonly string[], environment: Environment, signal: AbortSignal): Promise<number> {
  const program = createProgram(environment, signal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    // It has printed its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (isAbort(error, signal) || (error as Error).name === 'AbortError') return EXIT.ok;
    new Output(args.includes('--json'), environment.hasColors).error(error);
    return exitCodeOf(error);
  }
}
