import { definitions } from '@heliograph/sdk/definitions';
import { Argument, type Command } from 'commander';
import type { Context } from '../context';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof SHELLS)[number];

/** All of them ask `heliograph complete` with the words before the cursor. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# heliograph completion bash > /etc/bash_completion.d/heliograph
_heliograph() {
  local IFS=$'\\n'
  COMPREPLY=($(heliograph complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _heliograph heliograph`,
  zsh: `#compdef heliograph
# heliograph completion zsh > "\${fpath[1]}/_heliograph"
_heliograph() {
  local -a found
  found=("\${(@f)$(heliograph complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
if [ "$funcstack[1]" = "_heliograph" ]; then _heliograph "$@"; else compdef _heliograph heliograph; fi`,
  fish: `# heliograph completion fish > ~/.config/fish/completions/heliograph.fish
function __heliograph_complete
  set -l words (commandline -opc) (commandline -ct)
  heliograph complete -- $words[2..-1] 2>/dev/null
end
# Files are offered where there are no words.
complete -c heliograph -f -n 'count (__heliograph_complete) >/dev/null' -a '(__heliograph_complete)'`,
  powershell: `# heliograph completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName heliograph -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  heliograph complete -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`,
};

export function addCompletion(program: Command, contextOf: (command: Command) => Context): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .description('Print the script that completes commands')
    .action((shell: Shell, _: object, command: Command) => {
      contextOf(command).output.result({ script: SCRIPTS[shell] }, SCRIPTS[shell]);
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const word of completionsOf(program, words)) process.stdout.write(`${word}\n`);
    });
}

/** The words that can stand in place of the last one. */
export function completionsOf(program: Command, words: readonly string[]): string[] {
  const current = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) command = command.commands.find((one) => one.name() === word) ?? command;
  const candidates = current.startsWith('-') ? optionsOf(command) : wordsOf(command, words);
  return candidates.filter((candidate) => candidate.startsWith(current)).sort();
}

function optionsOf(command: Command): string[] {
  const own = command.options.flatMap(({ long }) => long ?? []);
  return command.parent ? [...own, ...optionsOf(command.parent)] : [...own, '--help'];
}

function wordsOf(command: Command, words: readonly string[]): string[] {
  if (command.name() === 'api' && words.length === 2) return Object.keys(definitions);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const visible = command.commands.filter((one) => one.name() !== 'complete');
  return [...visible.map((one) => one.name()), ...choices];
}
