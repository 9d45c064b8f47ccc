import { isJsonObject } from '@heliograph/service-kit';
import type { Fields } from './reading/fields';

/**
 * Whether two notations describe the same template, compared by components, formats, texts, buttons and the cards of a
 * carousel. Defaults and the texts of authentication templates are ignored, because the provider adds them. Samples are
 * ignored too.
 */
export function isSameTemplate(sent: readonly unknown[], found: readonly unknown[]): boolean {
  if (sent.length !== found.length) return false;
  const others = found.filter(isJsonObject);
  return sent.filter(isJsonObject).every((component) => {
    const other = others.find(({ type }) => areSameName(component['type'], type));
    return other !== undefined && isSameComponent(component, other);
  });
}

function isSameComponent(sent: Fields, found: Fields): boolean {
  return (
    (sent['text'] === undefined || sent['text'] === found['text']) &&
    (sent['format'] === undefined || areSameName(sent['format'], found['format'])) &&
    areSameLists(sent['buttons'], found['buttons'], isSameButton) &&
    areSameLists(sent['cards'], found['cards'], isSameCard)
  );
}

function isSameCard(sent: Fields, found: Fields): boolean {
  return isSameTemplate(listOf(sent['components']), listOf(found['components']));
}

/** The provider returns the button of a one-time code in another notation. */
function isSameButton(sent: Fields, found: Fields): boolean {
  if (areSameName(sent['type'], 'OTP')) return true;
  return areSameName(sent['type'], found['type']) && (sent['text'] === undefined || sent['text'] === found['text']);
}

/** Compares two lists. Returns true if `sent` is undefined, because the provider may add a list. */
function areSameLists(sent: unknown, found: unknown, isSame: (sent: Fields, found: Fields) => boolean): boolean {
  if (sent === undefined) return true;
  const others = listOf(found);
  return (
    listOf(sent).length === others.length &&
    listOf(sent).every((one, index) => {
      const other = others[index];
      return isJsonObject(one) && isJsonObject(other) && isSame(one, other);
    })
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Compares names without regard to case. */
function areSameName(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && one.toUpperCase() === other.toUpperCase();
}
