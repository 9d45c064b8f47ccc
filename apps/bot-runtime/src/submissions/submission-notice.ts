/** `{title}` is the form's. */
const NOTICES: Record<string, string> = {
  en: 'Form submitted: {title}',
  de: 'Formular gesendet: {title}',
  fr: 'Formulaire envoyé : {title}',
  es: 'Formulario enviado: {title}',
  pt: 'Formulário enviado: {title}',
  it: 'Modulo inviato: {title}',
  nl: 'Formulier verzonden: {title}',
  hi: 'फ़ॉर्म भेजा गया: {title}',
  ar: 'تم إرسال النموذج: {title}',
  ja: 'フォームを送信しました：{title}',
};

/** What stands in the transcript for a form that was filled in, in the bot's language. */
export function submissionNotice(title: string, locale: string): string {
  const language = locale.toLowerCase().split(/[-_]/)[0] ?? '';
  const notice = Object.hasOwn(NOTICES, language) ? NOTICES[language] : NOTICES['en'];
  return (notice ?? '').replace('{title}', () => title);
}
