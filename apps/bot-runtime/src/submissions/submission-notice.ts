/** `{title}` is the title of the form. */
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

/** The transcript message for a submitted form, in the bot's language. */
export function submissionNotice(title: string, locale: string): string {
  const language = locale.toLowerCase().split(/[-_]/)[0] ?? '';
  const notice = Object.hasOwn(NOTICES, language) ? NOTICES[language] : NOTICES['en'];
  return (notice ?? '').replace('{title}', () => title);
}
