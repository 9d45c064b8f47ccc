import type { TemplateComponent } from '@heliograph/chatapp-catalog';
import { isGiven, listAt, objectAt, oneOf, optionalBooleanAt, optionalTextAt, textAt, type Fields } from './fields';
import { invalid } from './invalid';

const OTP_TYPES = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'] as const;
const MAX = { text: 25, apps: 5, packageName: 224, minutes: 90 };
const SIGNATURE_HASH_CHARACTERS = 11;

type Parts = ReadonlyMap<string, { what: string; fields: Fields }>;

/**
 * Reads the components of a template for one-time codes. The provider supplies its texts, so they are removed, and the
 * fields that the provider requires are added.
 */
export function readAuthentication(parts: Parts): TemplateComponent[] {
  const header = parts.get('HEADER');
  if (header && isGiven(header.fields['format']) && header.fields['format'] !== 'TEXT') {
    throw invalid(header.what, 'is not allowed in a template of the category authentication');
  }
  return [readBody(parts.get('BODY')), ...readFooter(parts.get('FOOTER')), readButtons(parts.get('BUTTONS'))];
}

function readBody(body: { what: string; fields: Fields } | undefined): TemplateComponent {
  const name = 'add_security_recommendation';
  const recommends = body && optionalBooleanAt(`${body.what}.${name}`, body.fields[name]);
  return { type: 'BODY', [name]: recommends ?? false };
}

/** Removes a footer that contains only text. */
function readFooter(footer: { what: string; fields: Fields } | undefined): TemplateComponent[] {
  const name = 'code_expiration_minutes';
  const minutes = footer?.fields[name];
  if (!footer || !isGiven(minutes)) return [];
  if (typeof minutes !== 'number' || !Number.isInteger(minutes) || minutes < 1 || minutes > MAX.minutes) {
    throw invalid(`${footer.what}.${name}`, `must be a whole number from 1 to ${MAX.minutes}`);
  }
  return [{ type: 'FOOTER', [name]: minutes }];
}

function readButtons(buttons: { what: string; fields: Fields } | undefined): TemplateComponent {
  if (!buttons) return { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] };
  const what = `${buttons.what}.buttons`;
  const [button] = listAt(what, buttons.fields['buttons'], { min: 1, max: 1 });
  return { type: 'BUTTONS', buttons: [readButton(`${what}[0]`, objectAt(`${what}[0]`, button))] };
}

function readButton(what: string, button: Fields): Fields {
  // The other categories have a separate button type for copying a code.
  const type = oneOf(`${what}.type`, button['type'], ['OTP', 'COPY_CODE']);
  const given = type === 'COPY_CODE' || !isGiven(button['otp_type']) ? 'COPY_CODE' : button['otp_type'];
  const otpType = oneOf(`${what}.otp_type`, given, OTP_TYPES);
  const text = optionalTextAt(`${what}.text`, button['text'], MAX.text);
  const base = { type: 'OTP', otp_type: otpType, ...(text === undefined ? {} : { text }) };
  if (otpType === 'COPY_CODE') return base;
  const autofill = optionalTextAt(`${what}.autofill_text`, button['autofill_text'], MAX.text);
  return {
    ...base,
    ...(autofill === undefined ? {} : { autofill_text: autofill }),
    ...(otpType === 'ZERO_TAP' ? { zero_tap_terms_accepted: readTerms(what, button) } : {}),
    supported_apps: readApps(what, button),
  };
}

function readTerms(what: string, button: Fields): true {
  const name = 'zero_tap_terms_accepted';
  if (button[name] !== true) throw invalid(`${what}.${name}`, 'must be true: zero-tap codes require accepted terms');
  return true;
}

/** In the older notation, the button itself contains the fields of a single app. */
function readApps(what: string, button: Fields): Fields[] {
  if (!isGiven(button['supported_apps'])) return [readApp(what, button)];
  const apps = listAt(`${what}.supported_apps`, button['supported_apps'], { min: 1, max: MAX.apps });
  return apps.map((app, index) => {
    const name = `${what}.supported_apps[${index}]`;
    return readApp(name, objectAt(name, app));
  });
}

function readApp(what: string, app: Fields): Fields {
  const hash = textAt(`${what}.signature_hash`, app['signature_hash'], SIGNATURE_HASH_CHARACTERS);
  if (hash.length !== SIGNATURE_HASH_CHARACTERS) {
    throw invalid(`${what}.signature_hash`, `must have ${SIGNATURE_HASH_CHARACTERS} characters`);
  }
  return {
    package_name: textAt(`${what}.package_name`, app['package_name'], MAX.packageName),
    signature_hash: hash,
  };
}
