import type { FormField } from '@heliograph/bot-catalog';
import { addressKey, readEmailAddress, readTypedNumber } from '@heliograph/addresses';
import type { Answer } from './validate-answers';

export interface ContactDetails {
  name: string | null;
  /** Email address in lower case. */
  email: string | null;
  /** E.164 if the number was written with its calling code; otherwise the digits as written, because the country is unknown. */
  phone: string | null;
}

const NAME_LENGTH = 200;
const MIN_DIGITS = 5;
const MAX_DIGITS = 20;
const PHONE_TYPES = new Set(['phone', 'tel', 'mobile']);
const EMAIL_WORDS = /^(?:e-?mail|mail|email-?address|correo|courriel|ईमेल)$/;
const PHONE_WORDS =
  /^(?:phone|phone-?number|telephone|tel|mobile|mobile-?number|cell|whatsapp|telefon|handy|téléphone|teléfono|telefone)$/;
const NAME_WORDS = /^(?:full-?|your-?)?(?:name|nombre|nome|nom|naam|नाम|お名前|名前|الاسم)$/;
const FIRST_NAME_WORDS = /^(?:first-?name|given-?name|vorname|prénom|voornaam)$/;
const LAST_NAME_WORDS = /^(?:last-?name|family-?name|surname|nachname|achternaam|apellidos?|sobrenome|cognome)$/;

/**
 * Finds contact details in answers by the type of a field, otherwise by its key or label. Returns null if there are no
 * contact details. Takes the result of `validateAnswers`.
 */
export function contactDetails(fields: readonly FormField[], answers: readonly Answer[]): ContactDetails | null {
  const typeOf = new Map(fields.map(({ key, type }) => [key, type]));
  const text = (value: string | number) => String(value).trim();
  const called = (words: RegExp) => {
    const answer = answers.find(
      ({ key, label }) => typeOf.get(key) === 'text' && (words.test(plain(key)) || words.test(plain(label))),
    );
    return answer ? text(answer.value) : null;
  };
  const ofType = (isType: (type: string) => boolean) => {
    const answer = answers.find(({ key }) => isType(typeOf.get(key) ?? ''));
    return answer ? text(answer.value) : null;
  };
  const email = emailOf(ofType((type) => type === 'email') ?? called(EMAIL_WORDS));
  const phone = phoneOf(ofType((type) => PHONE_TYPES.has(type)) ?? called(PHONE_WORDS));
  const whole = called(NAME_WORDS) ?? [called(FIRST_NAME_WORDS), called(LAST_NAME_WORDS)].filter(Boolean).join(' ');
  const name = [...whole.replace(/\s+/g, ' ')].slice(0, NAME_LENGTH).join('').trim() || null;
  return name === null && email === null && phone === null ? null : { name, email, phone };
}

/** Treats `yourName`, `your_name` and `Your name *` as equal. */
function plain(words: string): string {
  return words
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

function emailOf(text: string | null): string | null {
  const address = text === null ? null : readEmailAddress(text);
  return address === null ? null : addressKey(address);
}

function phoneOf(text: string | null): string | null {
  if (text === null) return null;
  const digits = text.replace(/\D/g, '');
  if (text.startsWith('+') || digits.startsWith('00')) return readTypedNumber(text);
  return digits.length < MIN_DIGITS || digits.length > MAX_DIGITS ? null : digits;
}
