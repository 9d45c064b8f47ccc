import type { Lines, LinesOfLanguage } from './language-lines';

const formal: Lines = {
  greeting: 'お問い合わせありがとうございます。ご用件をお聞かせください。',
  thanks: 'どういたしまして。ほかにお手伝いできることはございますか。',
  goodbye: 'ご利用ありがとうございました。',
  identity: '自動応答アシスタントの{name}でございます。ご質問に合う回答をお探しいたします。',
  whichOfThese: 'どちらについてのご質問でしょうか。',
  isItThis: 'こちらのご質問でしょうか。',
  fallback: '申し訳ございません。その質問への回答が見つかりませんでした。別の言葉でお尋ねいただけますか。',
  perhapsThese: '次のいずれかがお役に立つかもしれません。',
  offerPerson: '担当者とお話しになりますか。「{word}」とご入力いただければ、お呼びいたします。',
  personWord: '担当者',
  talkToPerson: '担当者と話す',
  offerForm: 'こちらにご連絡先をお残しいただければ、折り返しご連絡いたします。',
  handoff: '担当者をお呼びしました。お待ちの間もご入力いただけます。',
  fillIn: '次の項目にご記入ください。',
  confirmation: 'ありがとうございます。内容を受け付けました。',
  commands: '次のコマンドをご利用いただけます。',
  noCommands: 'ご質問をそのままご入力ください。',
};

export const ja: LinesOfLanguage = {
  formal,
  friendly: {
    ...formal,
    greeting: 'こんにちは！何をお手伝いしましょうか？',
    thanks: 'どういたしまして！ほかに知りたいことはありますか？',
    goodbye: 'またいつでもどうぞ！',
    identity: '自動応答アシスタントの{name}です。質問に合う答えを探します。',
    whichOfThese: 'どれについて知りたいですか？',
    isItThis: 'これのことですか？',
    fallback: 'ごめんなさい、その答えは見つかりませんでした。別の言い方で聞いてもらえますか？',
    perhapsThese: 'このあたりが役に立つかもしれません。',
    offerPerson: '担当者と話しますか？「{word}」と入力すると、お呼びします。',
    offerForm: 'ここに連絡先を残してもらえれば、折り返し連絡します。',
    handoff: '担当者を呼びました。待っている間も入力できます。',
    fillIn: '次の項目を入力してください。',
    confirmation: 'ありがとうございます！内容を受け取りました。',
    commands: '使えるコマンドはこちらです。',
    noCommands: '聞きたいことをそのまま入力してください。',
  },
};
