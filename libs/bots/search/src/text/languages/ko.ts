import type { LanguageWords } from './language-words';

export const ko: LanguageWords = {
  classes: {
    filler: '안녕하세요 안녕 감사합니다 고맙습니다 네 죄송합니다 저기요',
    ask: '어떻게 무엇 뭐 언제 어디 어디서 누구 왜 얼마 얼마나 몇 어떤 어느',
    not: '안 못 없이 아니',
    light:
      '하나요 싶어요 싶습니다 있나요 있어요 할 수 하고 해야 되나요 돼요 알려주세요 방법 주세요 도와주세요 문제 질문 오늘 지금',
    stop: '이 그 저 제 내 저는 나는 및 또는 그리고',
  },
  synonyms: [],
};
