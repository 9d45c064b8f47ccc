import type { Lines, LinesOfLanguage } from './language-lines';

const formal: Lines = {
  greeting: 'Bonjour. Comment puis-je vous aider ?',
  thanks: 'Je vous en prie. Puis-je vous aider pour autre chose ?',
  goodbye: 'Au revoir et merci de votre visite.',
  identity: 'Je suis {name}, un assistant automatique. Posez-moi une question et je chercherai la réponse.',
  whichOfThese: 'Laquelle de ces questions est la vôtre ?',
  isItThis: 'Est-ce cela que vous voulez dire ?',
  fallback: 'Je suis désolé, je n’ai pas de réponse à cela. Pouvez-vous le formuler autrement ?',
  perhapsThese: 'L’une de ces questions peut vous aider :',
  offerPerson:
    'Souhaitez-vous parler à une personne ? Écrivez « {word} » et je demanderai à quelqu’un de nous rejoindre.',
  personWord: 'conseiller',
  talkToPerson: 'Parler à une personne',
  offerForm: 'Vous pouvez aussi laisser vos coordonnées ici, nous reviendrons vers vous.',
  handoff: 'J’ai demandé à notre équipe de nous rejoindre. Vous pouvez continuer à écrire en attendant.',
  fillIn: 'Veuillez remplir ces champs.',
  confirmation: 'Merci. Nous avons bien reçu vos informations.',
  commands: 'Voici les commandes que je connais :',
  noCommands: 'Posez simplement votre question avec vos propres mots.',
};

export const fr: LinesOfLanguage = {
  formal,
  friendly: {
    ...formal,
    greeting: 'Bonjour ! Que puis-je faire pour toi ?',
    thanks: 'Avec plaisir ! Je peux t’aider pour autre chose ?',
    goodbye: 'Au revoir et à bientôt !',
    identity: 'Je suis {name}, un assistant automatique. Pose-moi une question et je chercherai la réponse.',
    whichOfThese: 'Laquelle de ces questions est la tienne ?',
    isItThis: 'C’est cela que tu veux dire ?',
    fallback: 'Désolé, je ne sais pas répondre à cela. Peux-tu le dire autrement ?',
    perhapsThese: 'L’une de ces questions peut t’aider :',
    offerPerson: 'Tu veux parler à une personne ? Écris « {word} » et je demanderai à quelqu’un de nous rejoindre.',
    offerForm: 'Tu peux aussi laisser tes coordonnées ici, nous reviendrons vers toi.',
    handoff: 'J’ai demandé à l’équipe de nous rejoindre. Tu peux continuer à écrire en attendant.',
    fillIn: 'Remplis ces champs, s’il te plaît.',
    confirmation: 'Merci ! Nous avons bien reçu tes informations.',
    noCommands: 'Pose simplement ta question avec tes propres mots.',
  },
};
