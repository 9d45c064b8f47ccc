import type { Field } from '../fields';
import { placeholdersIn } from './placeholders';

const MAX = { buttons: 10, text: 25, url: 2_000, phoneNumber: 20, code: 15 };
/** The maximum number of buttons of a type, if it is lower than the total maximum. */
const MAX_OF_KIND: Readonly<Record<string, number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, FLOW: 1 };
const KINDS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'FLOW', 'CATALOG', 'MPM', 'SPM'] as const;

/** Checks the buttons of a template that is not an authentication template. */
export function checkButtons(component: Field | undefined): void {
  if (!component) return;
  const buttons = component.at('buttons').items(1, MAX.buttons);
  const kinds = buttons.map((button) => checkButton(button));
  for (const [kind, most] of Object.entries(MAX_OF_KIND)) {
    if (kinds.filter((other) => other === kind).length > most) {
      throw component.at('buttons').wrong(`must have at most ${most} of the type ${kind}`);
    }
  }
}

function checkButton(button: Field): string {
  const kind = button.object().at('type').oneOf(KINDS);
  if (kind === 'COPY_CODE') {
    button.at('example').text(MAX.code);
    return kind;
  }
  button.at('text').text(MAX.text);
  if (kind === 'URL') checkUrl(button);
  if (kind === 'PHONE_NUMBER') button.at('phone_number').text(MAX.phoneNumber);
  if (kind === 'FLOW') {
    const flow = ['flow_id', 'flow_name', 'flow_json'].filter((key) => button.at(key).isGiven);
    if (flow.length !== 1) throw button.wrong('must have exactly one of flow_id, flow_name and flow_json');
  }
  return kind;
}

function checkUrl(button: Field): void {
  const url = button.at('url').text(MAX.url);
  if (placeholdersIn(url).length === 0) {
    button.at('url').webAddress(MAX.url);
    return;
  }
  if (!/^https?:\/\/[^{}]+\{\{1\}\}$/.test(url)) throw button.at('url').wrong('may have {{1}} only at its end');
  button.at('example').items(1, 1);
}
