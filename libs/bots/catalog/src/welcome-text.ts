type Tone = 'formal' | 'friendly' | 'neutral';

/** `{name}` is replaced by the name of the bot. */
const WELCOMES: Record<string, Record<Tone, string>> = {
  en: {
    friendly: 'Hi, I am {name}. How can I help you?',
    formal: 'Welcome. This is {name}. How may we assist you?',
    neutral: 'Hello, this is {name}. What would you like to know?',
  },
  de: {
    friendly: 'Hallo, ich bin {name}. Wie kann ich dir helfen?',
    formal: 'Guten Tag, hier ist {name}. Wie dürfen wir Ihnen helfen?',
    neutral: 'Hallo, hier ist {name}. Was möchten Sie wissen?',
  },
  fr: {
    friendly: 'Bonjour, je suis {name}. Comment puis-je t’aider ?',
    formal: 'Bienvenue. Ici {name}. Comment pouvons-nous vous aider ?',
    neutral: 'Bonjour, ici {name}. Que souhaitez-vous savoir ?',
  },
  es: {
    friendly: '¡Hola! Soy {name}. ¿En qué te puedo ayudar?',
    formal: 'Bienvenido. Le atiende {name}. ¿En qué podemos ayudarle?',
    neutral: 'Hola, soy {name}. ¿Qué desea saber?',
  },
  pt: {
    friendly: 'Olá! Sou {name}. Como posso ajudar você?',
    formal: 'Bem-vindo. Aqui é {name}. Em que podemos ajudá-lo?',
    neutral: 'Olá, aqui é {name}. O que você gostaria de saber?',
  },
  it: {
    friendly: 'Ciao, sono {name}. Come posso aiutarti?',
    formal: 'Benvenuto. Qui {name}. Come possiamo aiutarLa?',
    neutral: 'Salve, qui {name}. Che cosa desidera sapere?',
  },
  nl: {
    friendly: 'Hoi, ik ben {name}. Hoe kan ik je helpen?',
    formal: 'Welkom, dit is {name}. Waarmee kunnen wij u van dienst zijn?',
    neutral: 'Hallo, dit is {name}. Wat wilt u weten?',
  },
  hi: {
    friendly: 'नमस्ते, मैं {name} हूँ। मैं आपकी क्या मदद कर सकता हूँ?',
    formal: 'स्वागत है। यह {name} है। हम आपकी किस प्रकार सहायता कर सकते हैं?',
    neutral: 'नमस्ते, यह {name} है। आप क्या जानना चाहेंगे?',
  },
  ar: {
    friendly: 'مرحبًا، أنا {name}. كيف يمكنني مساعدتك؟',
    formal: 'أهلًا وسهلًا. معكم {name}. كيف يمكننا خدمتكم؟',
    neutral: 'مرحبًا، هنا {name}. ماذا تود أن تعرف؟',
  },
  ja: {
    friendly: 'こんにちは、{name}です。何かお手伝いできますか？',
    formal: 'ようこそ。{name}でございます。ご用件をお聞かせください。',
    neutral: 'こんにちは、{name}です。何をお知りになりたいですか？',
  },
};

const FORMAL = /formal|professional|polite|serious|corporate|official/i;
const FRIENDLY = /friend|casual|warm|playful|cheer|fun|relaxed|informal/i;

/** The default welcome text, from the name of the bot, the tone of its published version, and its language. */
export function welcomeText(name: string, tone: string, locale: string): string {
  const language = locale.toLowerCase().split(/[-_]/)[0] ?? '';
  const texts = Object.hasOwn(WELCOMES, language) ? WELCOMES[language] : WELCOMES['en'];
  return (texts?.[toneOf(tone)] ?? '').replace('{name}', () => name);
}

function toneOf(tone: string): Tone {
  if (FRIENDLY.test(tone)) return 'friendly';
  return FORMAL.test(tone) ? 'formal' : 'neutral';
}
