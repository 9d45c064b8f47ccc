import { LANGUAGES } from '../languages';
import { LINES } from '../lines/lines';
import { wordsOf } from '../words';
import { asksForPerson } from './person-requests';
import { isNo, isYes, smallTalkOf } from './small-talk';

describe('a request for a person', () => {
  it.each([
    'human',
    'AGENT!!!',
    'I want to talk to a human',
    'can i speak with someone from support',
    'Could you please connect me to a live agent?',
    'it did not help, let me talk to a person',
    'I can’t talk to a machine, transfer me to a real person',
    'get me a human',
    'connect me with your support team please',
    'can I be transferred to a manager',
    'switch to a human',
    'pode transferir para um atendente?',
    'Customer service representative please',
    'is there a real person here?',
    'Ich möchte mit einem Mitarbeiter sprechen',
    'kann ich bitte mit einem echten Menschen reden?',
    'Verbinden Sie mich mit einem Berater',
    'Mitarbeiter bitte',
    'Je voudrais parler à un conseiller',
    'je veux parler avec quelqu’un',
    'Quiero hablar con una persona',
    '¿Puedo hablar con un agente?',
    'Quero falar com um atendente',
    'falar com alguém por favor',
    'Vorrei parlare con un operatore',
    'Ik wil met een medewerker praten',
    'kan ik iemand spreken, met een echt mens praten',
    'मुझे किसी व्यक्ति से बात करनी है',
    'mujhe agent se baat karni hai',
    'أريد التحدث إلى موظف',
    '担当者と話したいです',
    'オペレーターにつないでください',
    '我要转人工客服',
  ])('is recognized in: %s', (text) => {
    expect(asksForPerson(wordsOf(text))).toBe(true);
  });

  it.each([
    '',
    '???',
    'How many people work for you?',
    'Which agents do you pay commission to?',
    'I do not want to talk to a human',
    'Ich will nicht mit einem Menschen sprechen',
    'No quiero hablar con una persona',
    'je ne veux pas parler à un conseiller',
    'Is a person needed to sign for the parcel?',
    'What does the human resources department do?',
    'Can two persons share one account?',
    'Mitarbeiterrabatt',
    'personal data',
    'operator of the site?',
    'talk to me about prices',
    'Do you support Apple Pay?',
    'Personalausweis',
    'How can I transfer to someone in another country?',
    'Can I transfer money to a person without an account?',
    'How do I contact customer service?',
    'Comment contacter le service client ?',
    '¿Cómo puedo contactar con atención al cliente?',
    'Posso transferir para alguém?',
    'Come posso contattare l’assistenza?',
    'كيف يمكنني التواصل مع خدمة العملاء؟',
    'कस्टमर केयर से संपर्क कैसे करें?',
  ])('is not recognized in: %s', (text) => {
    expect(asksForPerson(wordsOf(text))).toBe(false);
  });

  it.each(LANGUAGES)('is recognized in the text that the bot suggests in the language %s', (language) => {
    const { formal, friendly } = LINES[language];
    for (const { personWord, talkToPerson, offerPerson, identity } of [formal, friendly]) {
      expect(asksForPerson(wordsOf(personWord))).toBe(true);
      // The label is also sent as a text if the action is no longer valid.
      expect([talkToPerson, asksForPerson(wordsOf(talkToPerson))]).toEqual([talkToPerson, true]);
      expect(offerPerson).toContain('{word}');
      expect(identity).toContain('{name}');
    }
  });
});

describe('small talk', () => {
  const talk = (text: string) => smallTalkOf(text, wordsOf(text), 'Ada Bot');

  it.each([
    ['Hi', 'greeting'],
    ['hello there!', 'greeting'],
    ['Hey Ada Bot 👋', 'greeting'],
    ['Good morning everyone', 'greeting'],
    ['Guten Tag', 'greeting'],
    ['नमस्ते', 'greeting'],
    ['السلام عليكم', 'greeting'],
    ['こんにちは', 'greeting'],
    ['👋🏽', 'greeting'],
    ['Thanks a lot, that helped!', 'thanks'],
    ['ok thank you so much', 'thanks'],
    ['Vielen Dank für die Hilfe', 'thanks'],
    ['merci beaucoup', 'thanks'],
    ['धन्यवाद', 'thanks'],
    ['ありがとうございます！', 'thanks'],
    ['👍', 'thanks'],
    ['🙏🏼🙏🏼', 'thanks'],
    ['thanks, bye', 'goodbye'],
    ['Auf Wiedersehen', 'goodbye'],
    ['Are you a bot?', 'identity'],
    ['Hi, who are you?', 'identity'],
    ['Bist du ein Mensch?', 'identity'],
  ])('%s is recognized as %s', (text, kind) => {
    expect(talk(text)).toBe(kind);
  });

  it.each([
    '',
    '???',
    '🍕',
    'hi, where is my order',
    'thanks for nothing useful',
    'no',
    'ok',
    'highway',
    'Dank der Lieferung',
  ])('is not recognized in: %s', (text) => {
    expect(talk(text)).toBeNull();
  });

  it('distinguishes yes from no', () => {
    expect(['yes', 'Yes, please!', 'ja', 'Sí', 'हाँ', 'نعم', 'はい'].every((text) => isYes(wordsOf(text)))).toBe(true);
    expect(['no', 'Nein danke', 'não', 'नहीं', 'لا', 'いいえ'].every((text) => isNo(wordsOf(text)))).toBe(true);
    expect(['yes but later', '', 'no way out'].some((text) => isYes(wordsOf(text)) || isNo(wordsOf(text)))).toBe(false);
  });
});

describe('the phrases of the bot', () => {
  it.each(LANGUAGES)('are complete and translated in the language %s', (language) => {
    for (const lines of Object.values(LINES[language])) {
      expect(Object.values(lines).every((line: string) => line.trim() === line && line !== '')).toBe(true);
      if (language !== 'en') {
        const borrowed = Object.keys(lines).filter(
          (key) => lines[key as 'thanks'] === LINES.en.formal[key as 'thanks'],
        );
        expect(borrowed).toEqual([]);
      }
    }
  });
});
