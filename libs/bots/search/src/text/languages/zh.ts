import type { LanguageWords } from './language-words';

export const zh: LanguageWords = {
  classes: {
    filler: '你好 您好 谢谢 请 请问 好的 是的 麻烦 再见',
    ask: '怎么 如何 什么 哪里 哪儿 什么时候 谁 为什么 多少 几 怎样 哪个 多久',
    not: '不 没 没有 无法 别',
    light: '可以 能 想 要 需要 有 知道 告诉 帮助 问题 今天 昨天 现在 会 应该 办 做 时候 可能 找',
    stop: '的 了 吗 呢 我 你 您 他 她 它 我们 你们 是 在 和 或 这 那 把 被 给 到 从 就 也 都 吧 啊 个',
  },
  synonyms: [],
};
