import type { Lines, LinesOfLanguage } from './language-lines';

const formal: Lines = {
  greeting: 'Guten Tag. Wie kann ich Ihnen helfen?',
  thanks: 'Gern geschehen. Kann ich sonst noch etwas für Sie tun?',
  goodbye: 'Auf Wiedersehen und vielen Dank für Ihren Besuch.',
  identity: 'Ich bin {name}, ein automatischer Assistent. Stellen Sie mir eine Frage, und ich suche die Antwort.',
  whichOfThese: 'Was davon meinen Sie?',
  isItThis: 'Meinen Sie das hier?',
  fallback: 'Es tut mir leid, darauf habe ich keine Antwort. Können Sie es anders formulieren?',
  perhapsThese: 'Vielleicht hilft Ihnen eines davon:',
  offerPerson: 'Möchten Sie mit einem Menschen sprechen? Schreiben Sie „{word}“, dann hole ich jemanden dazu.',
  personWord: 'Mitarbeiter',
  talkToPerson: 'Mit einem Menschen sprechen',
  offerForm: 'Sie können hier auch Ihre Angaben hinterlassen, wir melden uns dann bei Ihnen.',
  handoff: 'Ich habe unser Team gebeten, dazuzukommen. Sie können in der Zwischenzeit weiterschreiben.',
  fillIn: 'Bitte füllen Sie diese Felder aus.',
  confirmation: 'Vielen Dank. Wir haben Ihre Angaben erhalten.',
  commands: 'Diese Befehle kenne ich:',
  noCommands: 'Stellen Sie Ihre Frage einfach in eigenen Worten.',
};

export const de: LinesOfLanguage = {
  formal,
  friendly: {
    ...formal,
    greeting: 'Hallo! Was kann ich für dich tun?',
    thanks: 'Gern! Kann ich dir sonst noch helfen?',
    goodbye: 'Tschüss und alles Gute!',
    identity: 'Ich bin {name}, ein automatischer Assistent. Frag mich einfach, ich suche die Antwort.',
    whichOfThese: 'Was davon meinst du?',
    isItThis: 'Meinst du das hier?',
    fallback: 'Das weiß ich leider nicht. Kannst du es anders sagen?',
    perhapsThese: 'Vielleicht hilft dir eines davon:',
    offerPerson: 'Möchtest du mit einem Menschen sprechen? Schreib „{word}“, dann hole ich jemanden dazu.',
    offerForm: 'Du kannst hier auch deine Angaben hinterlassen, wir melden uns dann bei dir.',
    handoff: 'Ich habe das Team gebeten, dazuzukommen. Du kannst in der Zwischenzeit weiterschreiben.',
    fillIn: 'Bitte fülle diese Felder aus.',
    confirmation: 'Danke! Deine Angaben sind angekommen.',
    noCommands: 'Stell deine Frage einfach in eigenen Worten.',
  },
};
