import { Field, refuseRepeats, type Fields } from '../fields';
import { templateRefusal } from '../graph-error';
import type { NewTemplate } from './catalogue';
import { checkAuthenticationComponents } from './check-authentication';
import { checkButtons } from './check-buttons';
import { placeholdersIn, startsOrEndsWithPlaceholder, withoutPlaceholders } from './placeholders';

const CODES = { missing: 100, wrong: 100 } as const;
const MAX = { name: 512, language: 15, header: 60, body: 1_024, footer: 60, offer: 16, cards: 10 };
const COMPONENTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER'] as const;
/** Minimum and maximum; -1 stands for 30 days outside marketing. */
const TTL_SECONDS = { AUTHENTICATION: [30, 900], MARKETING: [43_200, 2_592_000], UTILITY: [30, 43_200] } as const;
const SHAPE_OF_NAME = /^[a-z0-9_]+$/;
const SHAPE_OF_LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,4})?$/;

/** Throws if the provider refuses the template. */
export function checkTemplate(body: unknown): NewTemplate {
  const call = new Field(body, '', CODES);
  const name = call.at('name').text(MAX.name);
  if (!SHAPE_OF_NAME.test(name)) throw call.at('name').wrong('must consist of a to z, 0 to 9 and underscores');
  const category = call.at('category').oneOf(['AUTHENTICATION', 'MARKETING', 'UTILITY']);
  const language = call.at('language').text(MAX.language);
  if (!SHAPE_OF_LANGUAGE.test(language)) throw call.at('language').wrong('must be a language such as en or en_US');
  const format = call.at('parameter_format');
  const parameterFormat = format.isGiven ? format.oneOf(['POSITIONAL', 'NAMED']) : 'POSITIONAL';
  const components = call.at('components').items(1, COMPONENTS.length);
  for (const component of components) {
    component.object().at('type').oneOf(COMPONENTS);
  }
  refuseRepeats(components.map((component) => component.at('type')));
  const ofType = (type: string): Field | undefined =>
    components.find((component) => component.at('type').value === type);
  const bodyComponent = ofType('BODY');
  if (!bodyComponent) throw call.at('components').wrong('must have a BODY');
  if (category === 'AUTHENTICATION') {
    checkAuthenticationComponents(call.at('components'), ofType);
  } else {
    const named = parameterFormat === 'NAMED';
    checkHeader(ofType('HEADER'), named);
    checkBody(bodyComponent, named);
    checkFooter(ofType('FOOTER'));
    checkButtons(ofType('BUTTONS'));
    ofType('LIMITED_TIME_OFFER')?.at('limited_time_offer').object().at('text').text(MAX.offer);
    for (const card of ofType('CAROUSEL')?.at('cards').items(1, MAX.cards) ?? []) checkCard(card, named);
  }
  const messageTtl = readTtl(call.at('message_send_ttl_seconds'), category);
  return {
    name,
    category,
    language,
    parameterFormat,
    components: call.at('components').value as Fields[],
    ...(messageTtl === undefined ? {} : { messageTtl }),
  };
}

function readTtl(seconds: Field, category: keyof typeof TTL_SECONDS): number | undefined {
  if (!seconds.isGiven) return undefined;
  const { value } = seconds;
  const [min, max] = TTL_SECONDS[category];
  const isMonth = value === -1 && category !== 'MARKETING';
  if (typeof value === 'number' && (isMonth || (Number.isInteger(value) && value >= min && value <= max))) return value;
  throw seconds.wrong(`must be ${min} to ${max} in the category ${category}`);
}

function checkCard(card: Field, named: boolean): void {
  for (const component of card.object().at('components').items(1, 3)) {
    const type = component.object().at('type').oneOf(['HEADER', 'BODY', 'BUTTONS']);
    if (type === 'HEADER') checkHeader(component, named);
    else if (type === 'BODY') checkBody(component, named);
    else checkButtons(component);
  }
}

function checkHeader(header: Field | undefined, named: boolean): void {
  if (!header) return;
  const format = header.at('format').oneOf(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'PRODUCT']);
  if (format === 'LOCATION' || format === 'PRODUCT') return;
  if (format !== 'TEXT') {
    header.at('example').object().at('header_handle').items(1, 10);
    return;
  }
  const text = header.at('text').text(MAX.header);
  const placeholders = checkPlaceholders(header.at('text'), text, named);
  if (placeholders.length > 1) throw header.at('text').wrong('must have at most one placeholder');
  if (placeholders.length === 0) return;
  const example = header.at('example').object();
  example.at(named ? 'header_text_named_params' : 'header_text').items(1, 1);
}

function checkBody(body: Field, named: boolean): void {
  const text = body.at('text').text(MAX.body);
  const placeholders = checkPlaceholders(body.at('text'), text, named);
  if (placeholders.length === 0) return;
  if (startsOrEndsWithPlaceholder(text)) {
    throw templateRefusal(
      2388299,
      'Variables can’t be at the start or end of the template',
      'The body must not start or end with a placeholder; add text around it.',
    );
  }
  const words = withoutPlaceholders(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < placeholders.length) {
    throw templateRefusal(
      2388293,
      'Too many variables for the length of the template',
      `The body has ${placeholders.length} placeholders among ${words.length} words; add words or remove placeholders.`,
    );
  }
  checkBodySamples(body.at('example').object(), placeholders.length, named);
}

function checkBodySamples(example: Field, count: number, named: boolean): void {
  if (named) {
    for (const sample of example.at('body_text_named_params').items(count, count)) {
      sample.object().at('param_name').text(100);
      sample.at('example').text(MAX.body);
    }
    return;
  }
  const [samples] = example.at('body_text').items(1, 1);
  for (const sample of samples?.items(count, count) ?? []) sample.text(MAX.body);
}

function checkFooter(footer: Field | undefined): void {
  if (!footer) return;
  const text = footer.at('text').text(MAX.footer);
  if (text.includes('{{')) throw footer.at('text').wrong('must have no placeholders');
}

/** Checks that placeholders are names or numbers from {{1}} without a gap. Returns them. */
function checkPlaceholders(field: Field, text: string, named: boolean): string[] {
  const placeholders = placeholdersIn(text);
  if (/\{\{|\}\}/.test(withoutPlaceholders(text))) throw field.wrong('has a placeholder that is not in the form {{1}}');
  const isRight = named
    ? placeholders.every((name) => /^[a-z_][a-z0-9_]*$/.test(name))
    : placeholders.every((_, index) => placeholders.includes(String(index + 1)));
  if (!isRight) {
    throw field.wrong(
      named ? 'must have placeholders named in lower case' : 'must number its placeholders from {{1}} without a gap',
    );
  }
  return placeholders;
}
