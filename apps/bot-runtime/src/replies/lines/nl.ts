import type { Lines, LinesOfLanguage } from './language-lines';

const formal: Lines = {
  greeting: 'Goedendag. Waarmee kan ik u helpen?',
  thanks: 'Graag gedaan. Kan ik u nog ergens mee helpen?',
  goodbye: 'Tot ziens en bedankt voor uw bezoek.',
  identity: 'Ik ben {name}, een automatische assistent. Stel mij een vraag, dan zoek ik het antwoord.',
  whichOfThese: 'Welke van deze bedoelt u?',
  isItThis: 'Bedoelt u dit?',
  fallback: 'Het spijt me, daar heb ik geen antwoord op. Kunt u het anders zeggen?',
  perhapsThese: 'Misschien helpt een van deze u verder:',
  offerPerson: 'Wilt u met een mens spreken? Schrijf ‘{word}’, dan vraag ik iemand erbij.',
  personWord: 'medewerker',
  talkToPerson: 'Met een medewerker praten',
  offerForm: 'U kunt hier ook uw gegevens achterlaten, dan nemen wij contact met u op.',
  handoff: 'Ik heb ons team gevraagd erbij te komen. U kunt intussen verder schrijven.',
  fillIn: 'Vul deze velden in, alstublieft.',
  confirmation: 'Dank u. Wij hebben uw gegevens ontvangen.',
  commands: 'Deze opdrachten ken ik:',
  noCommands: 'Stel uw vraag gewoon in uw eigen woorden.',
};

export const nl: LinesOfLanguage = {
  formal,
  friendly: {
    ...formal,
    greeting: 'Hoi! Wat kan ik voor je doen?',
    thanks: 'Graag gedaan! Kan ik je nog ergens mee helpen?',
    goodbye: 'Doei en tot de volgende keer!',
    identity: 'Ik ben {name}, een automatische assistent. Vraag maar, dan zoek ik het antwoord.',
    whichOfThese: 'Welke van deze bedoel je?',
    isItThis: 'Bedoel je dit?',
    fallback: 'Sorry, dat weet ik niet. Kun je het anders zeggen?',
    perhapsThese: 'Misschien helpt een van deze je verder:',
    offerPerson: 'Wil je met een mens praten? Schrijf ‘{word}’, dan vraag ik iemand erbij.',
    offerForm: 'Je kunt hier ook je gegevens achterlaten, dan nemen we contact met je op.',
    handoff: 'Ik heb het team gevraagd erbij te komen. Je kunt intussen verder schrijven.',
    fillIn: 'Vul deze velden in, alsjeblieft.',
    confirmation: 'Bedankt! We hebben je gegevens ontvangen.',
    noCommands: 'Stel je vraag gewoon in je eigen woorden.',
  },
};
