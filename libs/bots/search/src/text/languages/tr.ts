import type { LanguageWords } from './language-words';

export const tr: LanguageWords = {
  classes: {
    filler: 'merhaba selam tesekkurler tesekkur ederim lutfen sagol tamam evet iyi gunler kolay gelsin',
    ask: 'nasil ne zaman nerede kim hangi neden nicin kac nereden nereye mi mi mu mu',
    not: 'degil yok hic hayir olmadan',
    light: `istiyorum isterim olur olabilir var yapabilirim yapmak yapilir edebilirim etmek gerek gerekiyor lazim bilmek
        soylemek yardim sorun soru mumkun bulmak almak vermek bugun dun yarin simdi daha da de her gun`,
    stop: 've veya ile icin bir bu su o ben sen biz siz benim bana beni sizin ama ki gibi',
  },
  synonyms: [],
};
