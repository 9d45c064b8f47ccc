import type { Lines, LinesOfLanguage } from './language-lines';

const formal: Lines = {
  greeting: 'Salve. Come posso aiutarLa?',
  thanks: 'Prego. Posso aiutarLa in altro?',
  goodbye: 'Arrivederci e grazie della visita.',
  identity: 'Sono {name}, un assistente automatico. Mi faccia una domanda e cercherò la risposta.',
  whichOfThese: 'Quale di queste intende?',
  isItThis: 'Intende questo?',
  fallback: 'Mi dispiace, non ho una risposta. Può dirlo in altre parole?',
  perhapsThese: 'Forse una di queste può aiutarLa:',
  offerPerson: 'Desidera parlare con una persona? Scriva «{word}» e chiederò a qualcuno di unirsi.',
  personWord: 'operatore',
  talkToPerson: 'Parlare con una persona',
  offerForm: 'Può anche lasciare qui i Suoi dati: La ricontatteremo.',
  handoff: 'Ho chiesto al nostro team di unirsi alla conversazione. Intanto può continuare a scrivere.',
  fillIn: 'Compili questi campi, per favore.',
  confirmation: 'Grazie. Abbiamo ricevuto i Suoi dati.',
  commands: 'Questi sono i comandi che conosco:',
  noCommands: 'Faccia la Sua domanda con parole Sue.',
};

export const it: LinesOfLanguage = {
  formal,
  friendly: {
    ...formal,
    greeting: 'Ciao! Che cosa posso fare per te?',
    thanks: 'Prego! Posso aiutarti in altro?',
    goodbye: 'Ciao e a presto!',
    identity: 'Sono {name}, un assistente automatico. Chiedimi pure e cercherò la risposta.',
    whichOfThese: 'Quale di queste intendi?',
    isItThis: 'Intendi questo?',
    fallback: 'Mi dispiace, questo non lo so. Puoi dirlo in un altro modo?',
    perhapsThese: 'Forse una di queste può aiutarti:',
    offerPerson: 'Vuoi parlare con una persona? Scrivi «{word}» e chiederò a qualcuno di unirsi.',
    offerForm: 'Puoi anche lasciare qui i tuoi dati: ti ricontatteremo.',
    handoff: 'Ho chiesto al team di unirsi alla conversazione. Intanto puoi continuare a scrivere.',
    fillIn: 'Compila questi campi, per favore.',
    confirmation: 'Grazie! Abbiamo ricevuto i tuoi dati.',
    noCommands: 'Fai la tua domanda con parole tue.',
  },
};
