import { en } from './en';
import { fill, interfaceFor, LANGUAGES } from './strings';

const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('the strings of the interface', () => {
  it.each(Object.entries(LANGUAGES))('are complete in %s, with the same placeholders', (_, strings) => {
    for (const [key, english] of Object.entries(en) as [keyof typeof en, string][]) {
      expect(strings[key].trim()).not.toBe('');
      expect([key, names(strings[key])]).toEqual([key, names(english)]);
    }
  });

  it('use the locale of the bot in any notation, and English if it is not supported', () => {
    expect(interfaceFor('pt_BR')).toMatchObject({ language: 'pt', direction: 'ltr', locale: 'pt-BR' });
    expect(interfaceFor('AR-eg')).toMatchObject({ language: 'ar', direction: 'rtl' });
    expect(interfaceFor('sv')).toMatchObject({ language: 'en', locale: 'en' });
    expect(interfaceFor('constructor')).toMatchObject({ language: 'en' });
    expect(interfaceFor('')).toMatchObject({ language: 'en' });
  });

  it('are shown from right to left for locales with this direction, even if the text is English', () => {
    for (const locale of ['ar', 'he', 'fa-IR', 'ur']) expect(interfaceFor(locale).direction).toBe('rtl');
  });

  it('are filled with values, and unknown placeholders remain', () => {
    expect(fill('{n} of {m}', { n: 3 })).toBe('3 of {m}');
    expect(fill('{name}', { name: '{n}$&' })).toBe('{n}$&');
  });
});
