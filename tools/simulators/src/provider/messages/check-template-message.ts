import { Field, isFields, type Fields } from '../fields';
import { refusal } from '../graph-error';
import { componentsOf, type Template } from '../templates/catalogue';
import { placeholdersIn } from '../templates/placeholders';
import { checkMedia, type KnowsMedia } from './check-media';

const MAX_TEXT_LENGTH = 32_768;
const MAX_CODE_LENGTH = 15;
const MAX_PAYLOAD_LENGTH = 128;

export interface TemplateMessageContext {
  findTemplate(name: string, language: string): Template | undefined;
  knowsMedia: KnowsMedia;
}

/** Throws if the provider refuses a template message. Returns its template. */
export function checkTemplateMessage(message: Field, context: TemplateMessageContext): Template {
  const name = message.object().at('name').text(512);
  const language = message.at('language').object().at('code').text(20);
  const template = context.findTemplate(name, language);
  refuseUnusable(template, name, language);
  const given = message.at('components').isGiven ? message.at('components').items(0, 20) : [];
  for (const component of given) component.object().at('type').text(20);
  checkHeader(template, ofType(given, 'header'), context.knowsMedia);
  checkBody(template, ofType(given, 'body'));
  checkButtons(template, ofType(given, 'button'));
  const other = given.find((component) => !['header', 'body', 'button'].includes(typeOf(component)));
  if (other) throw other.at('type').wrong('must be header, body or button');
  return template;
}

function refuseUnusable(template: Template | undefined, name: string, language: string): asserts template is Template {
  if (template?.status === 'APPROVED') return;
  if (template?.status === 'PAUSED') throw refusal(132015, `template ${name} (${language}) is paused`);
  if (template?.status === 'DISABLED') throw refusal(132016, `template ${name} (${language}) is disabled`);
  throw refusal(132001, `there is no approved template ${name} in ${language}`);
}

function typeOf(component: Field): string {
  return wordOf(component.at('type').value);
}

/** The provider accepts these words in any case. */
function wordOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}

function ofType(components: readonly Field[], type: string): Field[] {
  return components.filter((component) => typeOf(component) === type);
}

function parametersOf(component: Field | undefined): Field[] {
  const parameters = component?.at('parameters');
  return parameters?.isGiven ? parameters.items(0, 100) : [];
}

function checkHeader(template: Template, given: Field[], knowsMedia: KnowsMedia): void {
  const [header] = componentsOf(template, 'HEADER');
  const parameters = given.flatMap(parametersOf);
  const format = header?.['format'] ?? 'TEXT';
  if (!header || format === 'TEXT') return checkTexts('header', placeholdersIn(header?.['text']), parameters);
  checkCount('header', 1, parameters.length);
  const kind = wordOf(format);
  for (const parameter of parameters) {
    if (parameter.object().at('type').value !== kind) {
      throw refusal(132012, `header: the parameter must be of the type ${kind}`);
    }
    if (kind === 'image' || kind === 'video' || kind === 'document') checkMedia(kind, parameter.at(kind), knowsMedia);
  }
}

function checkBody(template: Template, given: Field[]): void {
  const [body] = componentsOf(template, 'BODY');
  const parameters = given.flatMap(parametersOf);
  // The provider supplies the text, with a placeholder for the code.
  if (template.category === 'AUTHENTICATION' && placeholdersIn(body?.['text']).length === 0) {
    checkTexts('body', ['1'], parameters);
    for (const parameter of parameters) parameter.at('text').text(MAX_CODE_LENGTH);
    return;
  }
  checkTexts('body', placeholdersIn(body?.['text']), parameters);
}

function checkTexts(where: string, placeholders: readonly string[], parameters: readonly Field[]): void {
  checkCount(where, placeholders.length, parameters.length);
  for (const parameter of parameters) {
    const type = parameter.object().at('type').value;
    const isFormatted = where === 'body' && (type === 'currency' || type === 'date_time');
    if (type !== 'text' && !isFormatted) throw refusal(132012, `${where}: the parameters must be of the type text`);
    if (isFormatted) parameter.at(type).object().at('fallback_value').text(MAX_TEXT_LENGTH);
    else parameter.at('text').text(MAX_TEXT_LENGTH);
  }
  const named = placeholders.filter((name) => !/^\d+$/.test(name));
  for (const name of named) {
    if (parameters.some((parameter) => parameter.at('parameter_name').value === name)) continue;
    throw refusal(132012, `${where}: the template has no parameter named ${name}`);
  }
}

function checkCount(where: string, expected: number, actual: number): void {
  if (expected !== actual) {
    throw refusal(132000, `${where}: the template takes ${expected} parameters and the message has ${actual}`);
  }
}

function checkButtons(template: Template, given: Field[]): void {
  const buttons = componentsOf(template, 'BUTTONS').flatMap(({ buttons }) => (Array.isArray(buttons) ? buttons : []));
  const filled = new Map(given.map((component) => [indexOf(component, buttons.length), component]));
  for (const [index, button] of buttons.entries()) {
    if (isFields(button)) checkButton(index, button, filled.get(index));
  }
}

/** The index may be a string or a number. */
function indexOf(component: Field, buttons: number): number {
  const index = component.at('index');
  if (!index.isGiven) throw index.missing();
  const value = typeof index.value === 'string' ? Number(index.value) : index.value;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw index.wrong('must be the index of a button, from 0');
  if (value >= buttons)
    throw refusal(132000, `buttons: the template has ${buttons} buttons and none at index ${value}`);
  return value;
}

interface ButtonRule {
  subTypes: readonly string[];
  /** The type of the only parameter. */
  parameterType: string;
  required: boolean;
  maxLength: number;
}

/** The parameters that a message must have for a button; null for none. */
function ruleOf(button: Fields): ButtonRule | null {
  const text = { parameterType: 'text', required: true };
  switch (button['type']) {
    case 'OTP':
      return { ...text, subTypes: ['url', 'copy_code'], maxLength: MAX_CODE_LENGTH };
    case 'URL':
      return placeholdersIn(button['url']).length > 0 ? { ...text, subTypes: ['url'], maxLength: 2_000 } : null;
    case 'COPY_CODE':
      return { subTypes: ['copy_code'], parameterType: 'coupon_code', required: true, maxLength: MAX_CODE_LENGTH };
    case 'QUICK_REPLY':
      return {
        subTypes: ['quick_reply'],
        parameterType: 'payload',
        required: false,
        maxLength: MAX_PAYLOAD_LENGTH,
      };
    case 'FLOW':
      return { subTypes: ['flow'], parameterType: 'action', required: false, maxLength: MAX_PAYLOAD_LENGTH };
    default:
      return null;
  }
}

function checkButton(index: number, button: Fields, given: Field | undefined): void {
  const rule = ruleOf(button);
  const parameters = parametersOf(given);
  const where = `buttons: button ${index}`;
  if (!rule) return checkCount(where, 0, parameters.length);
  if (parameters.length === 0) {
    if (rule.required) throw refusal(131008, `${where} needs a parameter`);
    return;
  }
  checkCount(where, 1, parameters.length);
  if (!rule.subTypes.includes(wordOf(given?.at('sub_type').value))) {
    throw refusal(132012, `${where}: sub_type must be ${rule.subTypes[0]}`);
  }
  for (const parameter of parameters) {
    if (parameter.object().at('type').value !== rule.parameterType) {
      throw refusal(132012, `${where}: the parameter must be of the type ${rule.parameterType}`);
    }
    const value = parameter.at(rule.parameterType);
    if (rule.parameterType === 'action') value.object();
    else value.text(rule.maxLength);
  }
}
