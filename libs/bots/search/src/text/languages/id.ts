import type { LanguageWords } from './language-words';

export const id: LanguageWords = {
  classes: {
    filler: 'halo hai terima kasih tolong mohon permisi selamat pagi siang malam ya oke',
    ask: 'bagaimana apa apakah kapan dimana mana siapa mengapa kenapa berapa cara',
    not: 'tidak bukan jangan tanpa belum',
    light:
      'bisa dapat ingin mau harus perlu ada punya tahu bantuan bantu masalah pertanyaan mungkin hari ini kemarin besok',
    stop: 'dan atau di ke dari untuk dengan yang saya aku kami kita anda itu ini adalah pada',
  },
  synonyms: [],
};
