import type { Lines, LinesOfLanguage } from './language-lines';

const formal: Lines = {
  greeting: 'Olá. Em que posso ajudar?',
  thanks: 'De nada. Posso ajudar em mais alguma coisa?',
  goodbye: 'Até breve e obrigado pela visita.',
  identity: 'Sou {name}, um assistente automático. Faça uma pergunta e procurarei a resposta.',
  whichOfThese: 'Qual destas perguntas é a sua?',
  isItThis: 'É isto que procura?',
  fallback: 'Lamento, não tenho resposta para isso. Pode dizer de outra forma?',
  perhapsThese: 'Talvez uma destas ajude:',
  offerPerson: 'Gostaria de falar com uma pessoa? Escreva “{word}” e chamarei alguém da equipe.',
  personWord: 'atendente',
  talkToPerson: 'Falar com uma pessoa',
  offerForm: 'Também pode deixar aqui os seus dados, e entraremos em contato.',
  handoff: 'Pedi à nossa equipe que entre na conversa. Enquanto isso, pode continuar escrevendo.',
  fillIn: 'Por favor, preencha estes campos.',
  confirmation: 'Obrigado. Recebemos os seus dados.',
  commands: 'Estes são os comandos que conheço:',
  noCommands: 'Faça a sua pergunta com as suas próprias palavras.',
};

export const pt: LinesOfLanguage = {
  formal,
  friendly: {
    ...formal,
    greeting: 'Oi! O que posso fazer por você?',
    thanks: 'De nada! Posso ajudar com mais alguma coisa?',
    goodbye: 'Até logo e tudo de bom!',
    identity: 'Sou {name}, um assistente automático. É só perguntar que eu procuro a resposta.',
    whichOfThese: 'De qual destas você está falando?',
    isItThis: 'É isto que você quer dizer?',
    fallback: 'Desculpe, isso eu não sei. Você pode dizer de outro jeito?',
    offerPerson: 'Quer falar com uma pessoa? Escreva “{word}” e eu chamo alguém da equipe.',
    offerForm: 'Você também pode deixar aqui os seus dados, e nós entramos em contato.',
    handoff: 'Pedi à equipe que entre na conversa. Enquanto isso, pode continuar escrevendo.',
    fillIn: 'Preencha estes campos, por favor.',
    confirmation: 'Obrigado! Recebemos os seus dados.',
    noCommands: 'Faça a sua pergunta com as suas palavras.',
  },
};
