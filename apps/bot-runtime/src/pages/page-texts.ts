import type { LauncherTexts } from '@heliograph/bot-widget';

export interface PageTexts extends LauncherTexts {
  unavailableTitle: string;
  unavailable: string;
  awayTitle: string;
  away: string;
  noScript: string;
}

const TEXTS = {
  en: {
    open: 'Open chat',
    close: 'Close chat',
    unread: '{n} unread',
    dismiss: 'Dismiss',
    loading: 'Loading the chat',
    failed: 'The chat could not be loaded on this page.',
    elsewhere: 'Open it in a new tab',
    retry: 'Try again',
    unavailableTitle: 'This chat is not available',
    unavailable: 'It may have been paused or moved. Please contact the owner of the site in another way.',
    awayTitle: 'The chat is temporarily unavailable',
    away: 'Please try again in a minute.',
    noScript: 'The chat requires JavaScript. Please enable JavaScript and reload the page.',
  },
  de: {
    open: 'Chat öffnen',
    close: 'Chat schließen',
    unread: '{n} ungelesen',
    dismiss: 'Ausblenden',
    loading: 'Der Chat wird geladen',
    failed: 'Der Chat konnte auf dieser Seite nicht geladen werden.',
    elsewhere: 'In neuem Tab öffnen',
    retry: 'Erneut versuchen',
    unavailableTitle: 'Dieser Chat ist nicht verfügbar',
    unavailable:
      'Vielleicht wurde er angehalten oder verschoben. Bitte wenden Sie sich auf anderem Weg an den Betreiber der Seite.',
    awayTitle: 'Der Chat ist gerade nicht erreichbar',
    away: 'Bitte versuchen Sie es in einer Minute noch einmal.',
    noScript: 'Der Chat braucht JavaScript. Bitte schalten Sie es ein und laden Sie die Seite neu.',
  },
  fr: {
    open: 'Ouvrir le chat',
    close: 'Fermer le chat',
    unread: '{n} non lus',
    dismiss: 'Masquer',
    loading: 'Chargement du chat',
    failed: 'Le chat n’a pas pu être chargé sur cette page.',
    elsewhere: 'L’ouvrir dans un nouvel onglet',
    retry: 'Réessayer',
    unavailableTitle: 'Ce chat n’est pas disponible',
    unavailable: 'Il a peut-être été suspendu ou déplacé. Veuillez contacter le propriétaire du site autrement.',
    awayTitle: 'Le chat est momentanément indisponible',
    away: 'Veuillez réessayer dans une minute.',
    noScript: 'Le chat a besoin de JavaScript. Veuillez l’activer et recharger la page.',
  },
  es: {
    open: 'Abrir el chat',
    close: 'Cerrar el chat',
    unread: '{n} sin leer',
    dismiss: 'Ocultar',
    loading: 'Cargando el chat',
    failed: 'No se pudo cargar el chat en esta página.',
    elsewhere: 'Abrirlo en otra pestaña',
    retry: 'Reintentar',
    unavailableTitle: 'Este chat no está disponible',
    unavailable: 'Puede que esté en pausa o se haya trasladado. Contacte con el responsable del sitio por otra vía.',
    awayTitle: 'El chat no está disponible en este momento',
    away: 'Inténtelo de nuevo dentro de un minuto.',
    noScript: 'El chat necesita JavaScript. Actívelo y vuelva a cargar la página.',
  },
  pt: {
    open: 'Abrir o chat',
    close: 'Fechar o chat',
    unread: '{n} não lidas',
    dismiss: 'Ocultar',
    loading: 'Carregando o chat',
    failed: 'Não foi possível carregar o chat nesta página.',
    elsewhere: 'Abrir em outra aba',
    retry: 'Tentar de novo',
    unavailableTitle: 'Este chat não está disponível',
    unavailable: 'Talvez tenha sido pausado ou movido. Fale com o responsável pelo site de outra forma.',
    awayTitle: 'O chat está fora do ar no momento',
    away: 'Tente novamente em um minuto.',
    noScript: 'O chat precisa de JavaScript. Ative-o e recarregue a página.',
  },
  it: {
    open: 'Apri la chat',
    close: 'Chiudi la chat',
    unread: '{n} non letti',
    dismiss: 'Nascondi',
    loading: 'Caricamento della chat',
    failed: 'Non è stato possibile caricare la chat in questa pagina.',
    elsewhere: 'Aprila in una nuova scheda',
    retry: 'Riprova',
    unavailableTitle: 'Questa chat non è disponibile',
    unavailable: 'Forse è stata sospesa o spostata. Contatti il titolare del sito in un altro modo.',
    awayTitle: 'La chat è momentaneamente irraggiungibile',
    away: 'Riprovi tra un minuto.',
    noScript: 'La chat richiede JavaScript. Lo attivi e ricarichi la pagina.',
  },
  nl: {
    open: 'Chat openen',
    close: 'Chat sluiten',
    unread: '{n} ongelezen',
    dismiss: 'Verbergen',
    loading: 'De chat wordt geladen',
    failed: 'De chat kon op deze pagina niet worden geladen.',
    elsewhere: 'Openen in een nieuw tabblad',
    retry: 'Opnieuw proberen',
    unavailableTitle: 'Deze chat is niet beschikbaar',
    unavailable: 'Misschien is hij gepauzeerd of verplaatst. Neem op een andere manier contact op met de site.',
    awayTitle: 'De chat is even niet bereikbaar',
    away: 'Probeer het over een minuut opnieuw.',
    noScript: 'De chat heeft JavaScript nodig. Zet het aan en laad de pagina opnieuw.',
  },
  hi: {
    open: 'चैट खोलें',
    close: 'चैट बंद करें',
    unread: '{n} अपठित',
    dismiss: 'हटाएँ',
    loading: 'चैट लोड हो रही है',
    failed: 'इस पेज पर चैट लोड नहीं हो सकी।',
    elsewhere: 'नए टैब में खोलें',
    retry: 'फिर कोशिश करें',
    unavailableTitle: 'यह चैट उपलब्ध नहीं है',
    unavailable: 'हो सकता है इसे रोका या हटाया गया हो। कृपया साइट के मालिक से किसी और तरीके से संपर्क करें।',
    awayTitle: 'चैट अभी उपलब्ध नहीं है',
    away: 'कृपया एक मिनट बाद फिर कोशिश करें।',
    noScript: 'चैट के लिए JavaScript चाहिए। कृपया उसे चालू करके पेज फिर से लोड करें।',
  },
  ar: {
    open: 'فتح المحادثة',
    close: 'إغلاق المحادثة',
    unread: 'غير مقروءة: {n}',
    dismiss: 'إخفاء',
    loading: 'جارٍ تحميل المحادثة',
    failed: 'تعذّر تحميل المحادثة في هذه الصفحة.',
    elsewhere: 'فتحها في علامة تبويب جديدة',
    retry: 'إعادة المحاولة',
    unavailableTitle: 'هذه المحادثة غير متاحة',
    unavailable: 'ربما أُوقفت مؤقتًا أو نُقلت. يُرجى التواصل مع صاحب الموقع بطريقة أخرى.',
    awayTitle: 'المحادثة غير متاحة في هذه اللحظة',
    away: 'يُرجى المحاولة مرة أخرى بعد دقيقة.',
    noScript: 'تحتاج المحادثة إلى JavaScript. يُرجى تفعيله ثم إعادة تحميل الصفحة.',
  },
  ja: {
    open: 'チャットを開く',
    close: 'チャットを閉じる',
    unread: '未読{n}件',
    dismiss: '閉じる',
    loading: 'チャットを読み込んでいます',
    failed: 'このページではチャットを読み込めませんでした。',
    elsewhere: '新しいタブで開く',
    retry: 'もう一度試す',
    unavailableTitle: 'このチャットはご利用いただけません',
    unavailable: '停止中か、移動した可能性があります。別の方法でサイトの運営者にお問い合わせください。',
    awayTitle: 'チャットは一時的にご利用いただけません',
    away: '1分ほどしてからもう一度お試しください。',
    noScript: 'チャットにはJavaScriptが必要です。有効にしてからページを再読み込みしてください。',
  },
} as const satisfies Record<string, PageTexts>;

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur', 'yi', 'ps', 'sd', 'ug', 'dv', 'ckb']);

const languageOf = (locale: string): string => locale.toLowerCase().split(/[-_]/)[0] ?? '';

const isKnown = (language: string): language is keyof typeof TEXTS => Object.hasOwn(TEXTS, language);

/** Texts of the page and the loader in a bot's language (BCP 47); English if there is no translation. */
export function pageTexts(locale: string): PageTexts {
  const language = languageOf(locale);
  return TEXTS[isKnown(language) ? language : 'en'];
}

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(languageOf(locale)) ? 'rtl' : 'ltr';
}

/** The first language of Accept-Language with a translation, in the client's order: used for pages without a bot. */
export function preferredLocale(acceptLanguage: string | undefined): string {
  const asked = (acceptLanguage ?? '').slice(0, 500).split(',');
  return asked.map((item) => languageOf(item.split(';')[0]?.trim() ?? '')).find(isKnown) ?? 'en';
}
