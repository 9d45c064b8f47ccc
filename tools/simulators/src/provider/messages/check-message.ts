import { digitsOf } from '../../digits';
import { Field } from '../fields';
import { refusal } from '../graph-error';
import { checkInteractive } from './check-interactive';
import { checkMedia, MEDIA_TYPES, type MediaType } from './check-media';
import { checkTemplateMessage, type TemplateMessageContext } from './check-template-message';

const MAX_TEXT_LENGTH = 4_096;
const MAX_CALLBACK_DATA_LENGTH = 512;
/** The error codes of the call's own fields and of texts and media; nested fields have other codes. */
const SHALLOW = { missing: 100, wrong: 100 } as const;
const DEEP = { missing: 131008, wrong: 131009 } as const;

/** A validated message. */
export interface CheckedMessage {
  /** As given. */
  input: string;
  /** Digits. */
  waId: string;
  type: string;
  /** `service` without a template. */
  category: string;
  /** Returned in every status. */
  callbackData: string | null;
}

export interface MessageContext extends TemplateMessageContext {
  product: string;
}

/** Throws if the provider refuses the message. Does not check the recipient's window. */
export function checkMessage(body: unknown, context: MessageContext): CheckedMessage {
  const call = fieldOfCall(body, context.product);
  if (call.at('recipient_type').isGiven) call.at('recipient_type').oneOf(['individual']);
  const input = call.at('to').text(50);
  const waId = digitsOf(input);
  if (!/^\+?[\d\s().-]+$/.test(input) || !/^[1-9]\d{6,14}$/.test(waId)) {
    throw refusal(131009, 'to must be a number with its country code');
  }
  const callbackData = call.at('biz_opaque_callback_data').optionalText(MAX_CALLBACK_DATA_LENGTH);
  if (call.at('context').isGiven) call.at('context').object().at('message_id').text(512);
  const type = call.at('type').isGiven ? call.at('type').text(50) : 'text';
  return { input, waId, type, category: checkContent(call, type, context), callbackData };
}

/** Checks the product of a call. Returns its fields. */
export function fieldOfCall(body: unknown, product: string): Field {
  const call = new Field(body, '', SHALLOW);
  call.at('messaging_product').oneOf([product]);
  return call;
}

/** Returns the category. */
function checkContent(call: Field, type: string, context: MessageContext): string {
  const { knowsMedia } = context;
  if (type === 'template') {
    return checkTemplateMessage(deep(call, type), context).category.toLowerCase();
  }
  if (type === 'text') checkText(call.at(type));
  else if (isMedia(type)) checkMedia(type, call.at(type), knowsMedia);
  else if (type === 'interactive') checkInteractive(deep(call, type), knowsMedia);
  else throw refusal(131051, `messages of the type ${type} are not supported`);
  return 'service';
}

function checkText(text: Field): void {
  const body = text.object(['body', 'preview_url']).at('body');
  if (body.text(MAX_TEXT_LENGTH).trim() === '') throw body.wrong('must not be blank');
  const preview = text.at('preview_url');
  if (preview.isGiven && typeof preview.value !== 'boolean') throw preview.wrong('must be true or false');
}

function deep(call: Field, key: string): Field {
  const field = call.at(key);
  if (!field.isGiven) throw field.missing();
  return new Field(field.value, key, DEEP);
}

function isMedia(type: string): type is MediaType {
  return (MEDIA_TYPES as readonly string[]).includes(type);
}
