import type { Lines, LinesOfLanguage } from './language-lines';

const formal: Lines = {
  greeting: 'Hello. How may I help you?',
  thanks: 'You are welcome. Is there anything else I can help you with?',
  goodbye: 'Goodbye, and thank you for your visit.',
  identity: 'I am {name}, an automated assistant. Ask me a question, and I will look for the answer.',
  whichOfThese: 'Which of these do you mean?',
  isItThis: 'Do you mean this?',
  fallback: 'I am sorry, I do not have an answer to that. Could you put it in other words?',
  perhapsThese: 'Perhaps one of these helps:',
  offerPerson: 'Would you like to talk to a person? Write “{word}”, and I will ask somebody to join.',
  personWord: 'person',
  talkToPerson: 'Talk to a person',
  offerForm: 'You can also leave your details here, and we will get back to you.',
  handoff: 'I have asked our team to join this conversation. You can keep writing in the meantime.',
  fillIn: 'Please fill in these fields.',
  confirmation: 'Thank you. We have received your details.',
  commands: 'These are the commands I know:',
  noCommands: 'Just ask your question in your own words.',
};

export const en: LinesOfLanguage = {
  formal,
  friendly: {
    ...formal,
    greeting: 'Hi there! What can I do for you?',
    thanks: 'You are welcome! Anything else I can help with?',
    goodbye: 'Bye, and take care!',
    identity: 'I am {name}, an automated assistant. Just ask, and I will see what I can find.',
    fallback: 'Sorry, I do not know that one. Could you say it another way?',
    offerForm: 'Or leave your details here, and we will get back to you.',
    handoff: 'I have asked the team to join us. Feel free to keep writing in the meantime.',
    confirmation: 'Thanks! We have got your details.',
  },
};
