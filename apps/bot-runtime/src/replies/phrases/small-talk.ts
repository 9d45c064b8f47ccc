import { wordsOf, type Words } from '../words';

/** Messages that need no answer from the content of the bot. */
export type SmallTalk = 'greeting' | 'thanks' | 'goodbye' | 'identity';

/** Phrases of all languages, because a visitor may not use the language of the bot. They are separated by commas. */
const PHRASES: Readonly<Record<SmallTalk | 'filler' | 'yes' | 'no', string>> = {
  greeting: `hi, hii, hello, helo, hey, heya, hiya, howdy, yo, greetings, good morning, good afternoon, good evening,
    good day, how are you, how are you doing, whats up, sup, hallo, halo, guten tag, guten morgen, guten abend, moin,
    moin moin, servus, grüezi, grüß gott, grüß dich, wie gehts, wie geht es dir, wie geht es ihnen, bonjour, bonsoir,
    salut, coucou, ça va, comment ça va, comment allez vous, hola, buenos dias, buenas, buenas tardes, buenas noches,
    que tal, como estas, como esta, olá, ola, oi, oie, bom dia, boa tarde, boa noite, tudo bem, tudo bom, ciao, salve,
    buongiorno, buonasera, buon pomeriggio, come va, come stai, hoi, goedemorgen, goedemiddag, goedenavond, goedendag,
    hoe gaat het, नमस्ते, नमस्कार, हैलो, हाय, हेलो, सुप्रभात, namaste, namaskar, kaise ho, kaise hain, مرحبا, اهلا,
    أهلا وسهلا, السلام عليكم, سلام, سلام عليكم, صباح الخير, مساء الخير, كيف الحال, كيف حالك, こんにちは, こんにちわ,
    こんばんは, おはよう, おはようございます, はじめまして, もしもし, やあ, どうも`,
  thanks: `thanks, thank you, thankyou, thx, thnx, ty, tysm, tnx, cheers, much appreciated, i appreciate it,
    thanks a lot, thanks a million, great, perfect, awesome, nice, cool, that helps, that helped, that was helpful,
    danke, dankeschön, danke schön, vielen dank, herzlichen dank, merci, besten dank, super, prima, perfekt, das hilft,
    merci beaucoup, parfait, gracias, muchas gracias, mil gracias, perfecto, genial, obrigado, obrigada, muito obrigado,
    muito obrigada, valeu, perfeito, grazie, grazie mille, molte grazie, perfetto, dank je, dank je wel, dank u,
    dank u wel, dankjewel, dankuwel, bedankt, hartelijk dank, धन्यवाद, शुक्रिया, बहुत धन्यवाद, बहुत बहुत धन्यवाद,
    dhanyavad, dhanyawad, shukriya, شكرا, شكرا جزيلا, شكرا لك, شكرا لكم, مشكور, ありがとう, ありがとうございます,
    ありがとうございました, どうもありがとう, どうもありがとうございます, 助かりました, サンキュー`,
  goodbye: `bye, bye bye, byebye, goodbye, good bye, see you, see ya, see you later, cya, later, take care, good night,
    have a nice day, have a good day, have a great day, thats all, that is all, tschüss, tschüs, tschau,
    auf wiedersehen, bis bald, bis später, bis dann, gute nacht, schönen tag, schönen tag noch, schönen abend,
    das war alles, au revoir, à bientôt, bonne journée, bonne soirée, bonne nuit, adieu, adios, hasta luego,
    hasta pronto, chao, chau, nos vemos, que tenga buen dia, tchau, até logo, até mais, até breve, arrivederci,
    a presto, buona giornata, buona serata, buonanotte, doei, dag, tot ziens, tot later, fijne dag, अलविदा,
    फिर मिलेंगे, alvida, مع السلامة, وداعا, إلى اللقاء, さようなら, さよなら, バイバイ, またね, 失礼します`,
  identity: `who are you, what are you, are you a bot, are you a robot, are you human, are you a human, are you real,
    are you a real person, are you a person, are you an ai, am i talking to a bot, am i talking to a human, is this a bot,
    what is your name, whats your name, wer bist du, wer sind sie, bist du ein bot, bist du ein mensch, bist du echt,
    sind sie ein bot, sind sie ein mensch, wie heißt du, wie heißen sie, qui es tu, qui êtes vous, es tu un robot,
    êtes vous un robot, êtes vous humain, comment tu t appelles, quien eres, quien es usted, eres un bot, eres un robot,
    eres humano, como te llamas, quem é você, você é um robô, você é humano, qual é o seu nome, chi sei, sei un bot,
    sei un robot, sei umano, come ti chiami, wie ben je, wie bent u, ben je een bot, ben je een robot, ben je een mens,
    bent u een robot, तुम कौन हो, आप कौन हैं, क्या आप रोबोट हैं, aap kaun hain, aap kaun ho, من أنت, من انت, هل أنت روبوت,
    هل أنت إنسان, あなたは誰ですか, あなたは誰, ロボットですか, 人間ですか, あなたは人間ですか`,
  filler: `there, again, all, everyone, everybody, team, guys, folks, bot, chatbot, assistant, sir, madam, maam, mam,
    friend, mate, dear, so much, very much, a lot, lots, ok, okay, k, oh, ah, um, well, wow, please, then, for your help,
    for the help, for your answer, for now, you, your help, that is, thats, it is, its, really, very, so, too, and, no,
    yes, yep, alles klar, gut, zusammen, ihr, euch, dir, ihnen, und, sehr, noch, für die hilfe, für deine hilfe,
    für ihre hilfe, ja, nein, d accord, bien, très, et, non, oui, pour votre aide, pour ton aide, a tous, madame,
    monsieur, vale, bueno, muy, y, no gracias, por la ayuda, por su ayuda, por tu ayuda, e, muito, sim, não,
    pela ajuda, tudo, va bene, molto, per l aiuto, sì, a tutti, en, heel, erg, nee, voor je hulp, voor uw hulp,
    allemaal, जी, जी हाँ, और, सर, मैडम, ji, sir ji, bhai, bahut, يا, و, حسنا, نعم, لا, はい, いいえ, です, ね, さん`,
  yes: `yes, yes please, yeah, yep, yup, sure, ok, okay, please, please do, of course, absolutely, go ahead, do it,
    i would, id like that, i do, y, ja, ja bitte, ja gern, ja gerne, gern, gerne, klar, bitte, na klar, jawohl, jo,
    natürlich, oui, oui svp, oui s il vous plaît, oui stp, volontiers, bien sûr, d accord, ouais, si, sí, si por favor,
    claro, claro que si, por favor, vale, dale, sim, sim por favor, pode ser, quero, com certeza, sì, sì grazie,
    certo, certamente, va bene, volentieri, graag, ja graag, jazeker, zeker, ja alstublieft, oké, हाँ, हां, जी,
    जी हाँ, जी हां, हाँ जी, ठीक है, बिल्कुल, haan, haa, ha, ji haan, theek hai, نعم, اجل, أجل, ايوه, بالتأكيد, طبعا,
    حسنا, من فضلك, نعم من فضلك, はい, はいお願いします, お願いします, ええ, うん, おねがいします`,
  no: `no, nope, nah, no thanks, no thank you, not now, not yet, n, no need, nein, nein danke, nö, nee, nicht nötig, non,
    non merci, pas maintenant, no gracias, ahora no, não, não obrigado, não obrigada, agora não, no grazie, adesso no,
    nee bedankt, nee dank je, nee dank u, नहीं, जी नहीं, नहीं धन्यवाद, nahi, nahin, لا, لا شكرا, ليس الآن, いいえ, 結構です,
    いいえ結構です, 大丈夫です`,
};

type Kind = keyof typeof PHRASES;

/** The kind of each phrase. Later kinds replace earlier kinds of the same phrase. */
const KINDS = new Map<string, SmallTalk | 'filler'>();
const YES = new Set(phrasesOf('yes'));
const NO = new Set(phrasesOf('no'));
for (const kind of ['filler', 'greeting', 'thanks', 'goodbye', 'identity'] as const) {
  for (const phrase of phrasesOf(kind)) KINDS.set(phrase, kind);
}
const LONGEST_PHRASE = 7;
/** A longer message is not treated as small talk. */
const MAX_WORDS = 12;
const THANKING_EMOJI = /^(?:[\p{Emoji_Modifier}\ufe0f\u200d\s]|👍|🙏|❤|💯|😊|🙂|😀|😃|👌|🎉|🥰|😍)+$/u;
const WAVING_EMOJI = /^(?:[\p{Emoji_Modifier}\ufe0f\u200d\s]|👋|🖐|✋)+$/u;
const RANK: readonly SmallTalk[] = ['identity', 'goodbye', 'thanks', 'greeting'];

function phrasesOf(kind: Kind): string[] {
  return PHRASES[kind].split(',').map((phrase) => keyOf(wordsOf(phrase).list));
}

function keyOf(words: readonly string[]): string {
  return words.join(' ');
}

/** Returns the kind of small talk; null if the message contains other words. The message may contain `botName`. */
export function smallTalkOf(text: string, words: Words, botName: string): SmallTalk | null {
  const { list } = words;
  if (list.length === 0) return emojiTalk(text.slice(0, 100));
  if (list.length > MAX_WORDS) return null;
  const name = keyOf(wordsOf(botName).list);
  const kinds = new Set<SmallTalk>();
  for (let from = 0; from < list.length;) {
    const length = phraseAt(list, from, name, kinds);
    if (length === 0) return null;
    from += length;
  }
  return RANK.find((kind) => kinds.has(kind)) ?? null;
}

/** Whether the whole message means yes. */
export function isYes(words: Words): boolean {
  return YES.has(keyOf(words.list));
}

/** Whether the whole message means no. */
export function isNo(words: Words): boolean {
  return NO.has(keyOf(words.list));
}

/** Returns the number of words of the longest known phrase that begins at `from`, and adds its kind to `kinds`. */
function phraseAt(list: readonly string[], from: number, name: string, kinds: Set<SmallTalk>): number {
  for (let length = Math.min(LONGEST_PHRASE, list.length - from); length > 0; length--) {
    const phrase = keyOf(list.slice(from, from + length));
    const kind = KINDS.get(phrase);
    if (kind === undefined && phrase !== name) continue;
    if (kind !== undefined && kind !== 'filler') kinds.add(kind);
    return length;
  }
  return 0;
}

function emojiTalk(text: string): SmallTalk | null {
  if (/\p{Extended_Pictographic}/u.test(text)) {
    if (THANKING_EMOJI.test(text)) return 'thanks';
    if (WAVING_EMOJI.test(text)) return 'greeting';
  }
  return null;
}
