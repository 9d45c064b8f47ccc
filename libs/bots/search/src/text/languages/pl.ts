import type { LanguageWords } from './language-words';

export const pl: LanguageWords = {
  classes: {
    filler: 'czesc hej witam dzien dobry dziekuje dzieki prosze pozdrawiam przepraszam ok tak pan pani',
    ask: 'jak co kiedy gdzie kto ktory ktora ktore jaki jaka jakie dlaczego ile czy dokad skad',
    not: 'nie nigdy bez nic',
    light: `moge mozna moze chce chcialbym chcialabym musze trzeba mam ma miec jest zrobic robic wiedziec powiedziec pomoc
        problem pytanie mozliwe znalezc dostac dac dzis dzisiaj wczoraj jutro teraz jeszcze juz tez zawsze dni czas`,
    stop: 'i a w na z o do od po u za dla przy ja mnie mi moj moja moje wy pan wasz to ten ta te sie sa byc lub albo ale ze',
  },
  synonyms: [],
};
