import { createCommands, type HeliographGlobal } from './commands';
import { findScript, readOptions } from './options';
import { startWidget } from './widget';

declare global {
  interface Window {
    /** Before this script has run: a list of calls, such as `['open']`. From then on: the widget. */
    Heliograph?: HeliographGlobal | unknown[];
  }
}

const known = window.Heliograph;
// Anything but a list of calls: the widget is here already.
if (!known || Array.isArray(known)) {
  const script = findScript(document);
  const options = script && readOptions(script, location.href);
  if (options) {
    const commands = createCommands(startWidget(options, () => delete window.Heliograph));
    window.Heliograph = commands;
    for (const call of known ?? []) commands.push(call);
  } else {
    console.warn('Heliograph: give the script tag a data-bot-id, the public id of your bot.');
  }
}
