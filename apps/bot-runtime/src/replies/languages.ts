/** Those in which the bots have words of their own. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'hi', 'ar', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How a bot speaks to people; where a language makes no difference, both are the same. */
export type Manner = 'formal' | 'friendly';

const FRIENDLY = /friend|casual|warm|playful|cheer|fun|relaxed|informal/i;

/** The language of a BCP 47 locale such as `pt-BR`; English for those without words of their own. */
export function languageOf(locale: string): Language {
  const code = locale.trim().toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === code) ?? 'en';
}

/** What the free text `tone` of a version comes to: formal, unless it says otherwise. */
export function mannerOf(tone: string): Manner {
  return FRIENDLY.test(tone) ? 'friendly' : 'formal';
}
