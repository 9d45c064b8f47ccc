import { en } from './en';
import { fill, interfaceFor, LANGUAGES } from './strings';

const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('the strings of the interface', () => {
  it.each(Object.entries(LANGUAGES))('are there in %s, with the same names to fill in', (_, strings) => {
    for (const [key, english] of Object.entries(en) as [keyof typeof en, string][]) {
      expect(strings[key].trim()).not.toBe('');
      expect([key, names(strings[key])]).toEqual([key, names(english)]);
    }
  });

  it('follow the locale of the bot, in any notation, and are English where there are none', () => {
    expect(interfaceFor('pt_BR')).toMatchObject({ language: 'pt', direction: 'ltr', locale: 'pt-BR' });
    expect(interfaceFor('AR-eg')).toMatchObject({ language: 'ar', direction: 'rtl' });
    expect(interfaceFor('sv')).toMatchObject({ language: 'en', locale: 'en' });
    expect(interfaceFor('constructor')).toMatchObject({ language: 'en' });
    expect(interfaceFor('')).toMatchObject({ language: 'en' });
  });

  it('reads from right to left for bots of such a language, also where the words are English', () => {
    for (const locale of ['ar', 'he', 'fa-IR', 'ur']) expect(interfaceFor(locale).direction).toBe('rtl');
  });

  it('fills names in, and leaves unknown ones', () => {
    expect(fill('{n} of {m}', { n: 3 })).toBe('3 of {m}');
    expect(fill('{name}', { name: '{n}$&' })).toBe('{n}$&');
  });
});
