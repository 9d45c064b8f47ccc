import type { Lines, LinesOfLanguage } from './language-lines';

const formal: Lines = {
  greeting: 'Buenos días. ¿En qué puedo ayudarle?',
  thanks: 'De nada. ¿Puedo ayudarle en algo más?',
  goodbye: 'Hasta pronto y gracias por su visita.',
  identity: 'Soy {name}, un asistente automático. Hágame una pregunta y buscaré la respuesta.',
  whichOfThese: '¿A cuál de estas se refiere?',
  isItThis: '¿Se refiere a esto?',
  fallback: 'Lo siento, no tengo respuesta a eso. ¿Puede decirlo de otra manera?',
  perhapsThese: 'Quizá le ayude una de estas:',
  offerPerson: '¿Desea hablar con una persona? Escriba «{word}» y pediré a alguien que se una.',
  personWord: 'agente',
  talkToPerson: 'Hablar con una persona',
  offerForm: 'También puede dejar aquí sus datos y nos pondremos en contacto con usted.',
  handoff: 'He pedido a nuestro equipo que se una a la conversación. Mientras tanto, puede seguir escribiendo.',
  fillIn: 'Por favor, rellene estos campos.',
  confirmation: 'Gracias. Hemos recibido sus datos.',
  commands: 'Estos son los comandos que conozco:',
  noCommands: 'Haga su pregunta con sus propias palabras.',
};

export const es: LinesOfLanguage = {
  formal,
  friendly: {
    ...formal,
    greeting: '¡Hola! ¿Qué puedo hacer por ti?',
    thanks: '¡De nada! ¿Te ayudo con algo más?',
    goodbye: '¡Hasta pronto y que te vaya bien!',
    identity: 'Soy {name}, un asistente automático. Pregúntame y buscaré la respuesta.',
    whichOfThese: '¿A cuál de estas te refieres?',
    isItThis: '¿Te refieres a esto?',
    fallback: 'Lo siento, eso no lo sé. ¿Puedes decirlo de otra manera?',
    perhapsThese: 'Quizá te ayude una de estas:',
    offerPerson: '¿Quieres hablar con una persona? Escribe «{word}» y pediré a alguien que se una.',
    offerForm: 'También puedes dejar aquí tus datos y te contactaremos.',
    handoff: 'He pedido al equipo que se una a la conversación. Mientras tanto, puedes seguir escribiendo.',
    fillIn: 'Rellena estos campos, por favor.',
    confirmation: '¡Gracias! Hemos recibido tus datos.',
    noCommands: 'Haz tu pregunta con tus propias palabras.',
  },
};
