import { isUrlText } from '@heliograph/service-kit';
import { isGiven, listAt, objectAt, oneOf, optionalTextAt, textAt, type Fields } from './fields';
import { invalid } from './invalid';
import { samplesOf } from './placeholders';

/** Buttons that show a catalog, several products or one product. Such a button must be the only button. */
const PRODUCT_KINDS = ['CATALOG', 'MPM', 'SPM'] as const;
const KINDS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'FLOW', ...PRODUCT_KINDS] as const;
type Kind = (typeof KINDS)[number];

const MAX = { buttons: 10, text: 25, url: 2_000, phoneNumber: 20, code: 15, flow: 1_000 };
/** Other types are limited only by the number of buttons. */
const MAX_OF_KIND: Partial<Record<Kind, number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, FLOW: 1 };
const FLOW_NAMES = ['flow_id', 'flow_name', 'flow_json'] as const;
const URL_PLACEHOLDER = '{{1}}';

/** Reads the buttons of a template that is not for authentication, in the provider's notation. */
export function readButtons(what: string, value: unknown): Fields[] {
  const buttons = listAt(what, value, { min: 1, max: MAX.buttons }).map((button, index) =>
    readButton(`${what}[${index}]`, button),
  );
  const kinds = buttons.map(({ type }) => type);
  for (const [kind, max] of Object.entries(MAX_OF_KIND)) {
    if (kinds.filter((other) => other === kind).length > max) {
      throw invalid(what, `must contain at most ${max} of the type ${kind}`);
    }
  }
  const product = PRODUCT_KINDS.find((kind) => kinds.includes(kind));
  if (product && kinds.length > 1) throw invalid(what, `must not contain other buttons if it contains ${product}`);
  const first = kinds.indexOf('QUICK_REPLY');
  const last = kinds.lastIndexOf('QUICK_REPLY');
  if (kinds.slice(Math.max(first, 0), last + 1).some((kind) => kind !== 'QUICK_REPLY')) {
    throw invalid(what, 'must contain all quick replies next to each other');
  }
  return buttons;
}

function readButton(what: string, value: unknown): Fields & { type: Kind } {
  const button = objectAt(what, value);
  const type = oneOf(`${what}.type`, button['type'], KINDS);
  if (type === 'COPY_CODE') return { type, example: readCode(`${what}.example`, button['example']) };
  const text = textAt(`${what}.text`, button['text'], MAX.text);
  switch (type) {
    case 'QUICK_REPLY':
    case 'CATALOG':
    case 'MPM':
    case 'SPM':
      return { type, text };
    case 'URL':
      return { type, text, ...readUrl(what, button) };
    case 'PHONE_NUMBER':
      return { type, text, phone_number: readPhoneNumber(`${what}.phone_number`, button['phone_number']) };
    case 'FLOW':
      return { type, text, ...readFlow(what, button) };
  }
}

/** Reads a value or a list with this value as its only entry. */
function readCode(what: string, value: unknown): string {
  const given: unknown = Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;
  return textAt(what, given, MAX.code);
}

function readUrl(what: string, { url: given, example }: Fields): Fields {
  const url = textAt(`${what}.url`, given, MAX.url);
  const stem = url.endsWith(URL_PLACEHOLDER) ? url.slice(0, -URL_PLACEHOLDER.length) : url;
  if (/[{}\s]/.test(stem))
    throw invalid(`${what}.url`, `may only contain the placeholder ${URL_PLACEHOLDER}, at its end`);
  if (!/^https?:\/\//i.test(stem) || !isUrlText(stem)) {
    throw invalid(
      `${what}.url`,
      'must be a URL that begins with https:// or http://, without control and invisible characters',
    );
  }
  if (stem === url) return { url };
  if (!isGiven(example)) return { url, example: [stem + (samplesOf(1)[0] ?? '')] };
  const [sample] = listAt(`${what}.example`, Array.isArray(example) ? example : [example], { min: 1, max: 1 });
  return { url, example: [textAt(`${what}.example`, sample, MAX.url)] };
}

function readPhoneNumber(what: string, value: unknown): string {
  const number = textAt(what, value, MAX.phoneNumber);
  if (!/^\+?[\d ()-]+$/.test(number)) throw invalid(what, 'must be a phone number such as +15550100001');
  return number;
}

function readFlow(what: string, button: Fields): Fields {
  const [name, second] = FLOW_NAMES.filter((flow) => isGiven(button[flow]));
  if (!name || second) throw invalid(what, `must have exactly one of ${FLOW_NAMES.join(', ')}`);
  const action = optionalTextAt(`${what}.flow_action`, button['flow_action'], MAX.text);
  const screen = optionalTextAt(`${what}.navigate_screen`, button['navigate_screen'], MAX.flow);
  return {
    [name]: textAt(`${what}.${name}`, button[name], name === 'flow_json' ? Infinity : MAX.flow),
    ...(action === undefined ? {} : { flow_action: action }),
    ...(screen === undefined ? {} : { navigate_screen: screen }),
  };
}
