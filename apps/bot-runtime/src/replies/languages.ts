/** Languages with built-in texts. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'hi', 'ar', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The form of address. Languages without the distinction use the same text for both. */
export type Manner = 'formal' | 'friendly';

const FRIENDLY = /friend|casual|warm|playful|cheer|fun|relaxed|informal/i;

/** The language of a BCP 47 locale such as `pt-BR`; English if there are no built-in texts for it. */
export function languageOf(locale: string): Language {
  const code = locale.trim().toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === code) ?? 'en';
}

/** Maps the free text `tone` of a version to a form of address. The default is formal. */
export function mannerOf(tone: string): Manner {
  return FRIENDLY.test(tone) ? 'friendly' : 'formal';
}
