import { createCommands, type HeliographGlobal } from './commands';
import { findScript, readOptions } from './options';
import { startWidget } from './widget';

declare global {
  interface Window {
    /** Before this script runs, a list of commands such as `['open']`; afterwards, the widget. */
    Heliograph?: HeliographGlobal | unknown[];
  }
}

const known = window.Heliograph;
// Not a list of commands: the widget is already installed.
if (!known || Array.isArray(known)) {
  const script = findScript(document);
  const options = script && readOptions(script, location.href);
  if (options) {
    const commands = createCommands(startWidget(options, () => delete window.Heliograph));
    window.Heliograph = commands;
    for (const call of known ?? []) commands.push(call);
  } else {
    console.warn('Heliograph: add the attribute data-bot-id with the public id of your bot to the script tag.');
  }
}
