import type { AvailableBot, AvailableShortcut } from '@heliograph/bot-catalog';
import type { Lines } from './lines/language-lines';

export type SlashCommand =
  | { kind: 'shortcut'; shortcut: AvailableShortcut; rest: string }
  /** Requests the list of commands. */
  | { kind: 'help' }
  /** The message has the form of a command that is unknown or ambiguous. */
  | { kind: 'unknown' };

const COMMAND = /^\s*\/([\p{L}\p{N}][^\s/]{0,99})(?:\s+([^]*))?$/u;
const HELP = new Set(['help', 'hilfe', 'aide', 'ayuda', 'ajuda', 'aiuto', 'commands', '?']);
const MAX_LISTED = 20;

/**
 * Returns the command in a message; null for other messages, such as a path. An exact match takes precedence over a
 * prefix, and a `/help` command of the bot over the built-in command. A prefix must match exactly one command.
 */
export function slashCommandOf(text: string, { shortcuts }: Pick<AvailableBot, 'shortcuts'>): SlashCommand | null {
  const bare = text.trim();
  const own = shortcuts.find(({ command }) => sameCommand(command, bare));
  if (own) return { kind: 'shortcut', shortcut: own, rest: '' };
  if (bare === '/' || bare === '/?') return { kind: 'help' };
  const [, word, rest = ''] = COMMAND.exec(text) ?? [];
  if (word === undefined) return null;
  const typed = `/${word}`;
  const exact = shortcuts.find(({ command }) => sameCommand(command, typed));
  if (exact) return { kind: 'shortcut', shortcut: exact, rest: rest.trim() };
  if (HELP.has(word.toLowerCase())) return { kind: 'help' };
  const [first, ...others] = shortcuts.filter(({ command }) => keyOf(command).startsWith(keyOf(typed)));
  return first && others.length === 0 ? { kind: 'shortcut', shortcut: first, rest: rest.trim() } : { kind: 'unknown' };
}

/** Returns the commands of the bot as a Markdown list. */
export function listCommands({ shortcuts }: Pick<AvailableBot, 'shortcuts'>, lines: Readonly<Lines>): string {
  if (shortcuts.length === 0) return lines.noCommands;
  const items = shortcuts
    .slice(0, MAX_LISTED)
    .map(({ command, label, description }) => `- \`${command}\` ${label}${description ? `: ${description}` : ''}`);
  return [lines.commands, ...items].join('\n');
}

function sameCommand(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(command: string): string {
  return command.normalize('NFKC').toLowerCase();
}
