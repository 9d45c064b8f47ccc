import { wordsOf, type Words } from '../words';

/**
 * Patterns for sentences that request a person. They match the words of a message, separated by single spaces. All
 * repetitions are bounded, so that the time is linear in the length of the message.
 */
const REQUESTS: readonly RegExp[] = [
  // English
  / (?:talk|speak|chat)(?: (?:directly|now|please)){0,2} (?:to|with)(?: (?:a|an|the|your|some|real|live|actual|human|customer|support|service|sales|care)){0,4} (?:human|humans|person|people|someone|somebody|agent|agents|representative|rep|operator|advisor|adviser|manager|supervisor|support|staff|team|employee|colleague|executive|specialist|service|care) /,
  / (?:(?:connect|transfer|escalate|forward|put|pass|hand|switch) (?:me|us|this)|connected|transferred)(?: (?:over|through|directly|now|please)){0,2} (?:to|with)(?: (?:a|an|the|your|some|real|live|actual|human|customer|support|service|sales|care)){0,4} (?:human|person|someone|somebody|agent|representative|rep|operator|advisor|adviser|manager|supervisor|support|staff|team|employee|colleague|executive|specialist|service|care) /,
  / (?:connect|transfer|switch|escalate)(?: (?:directly|now))? to(?: (?:a|an|the|real|live|actual)){0,3} (?:human|agent|representative|operator|real person|live person|supervisor) /,
  / (?:want|need|get|give|like|prefer)(?: (?:me|to|have|see|reach)){0,4}?(?: (?:a|an|the|some|real|live|actual)){0,3} (?:human|real person|live person|live agent|human agent|live chat|representative|operator) /,
  / (?:real|live|actual) (?:person|human|human being|agent|people) | human (?:agent|being|support|help|operator|assistance|please) | (?:customer service|customer support|customer care) (?:representative|agent|rep|executive) | is there (?:a|any) (?:human|real person|person|someone) | speak to (?:someone|somebody) /,
  // German
  / (?:mit|zu|an|bei)(?: (?:einem|einer|ein|eine|nem|ner|dem|der|den|ihrem|eurem|echten|echter|echtem|richtigen|menschlichen|lebenden)){0,3} (?:mensch|menschen|person|mitarbeiter|mitarbeiterin|mitarbeitern|berater|beraterin|kundenberater|kundenservice|kundendienst|support|ansprechpartner|jemandem|jemand)(?: [\p{L}\p{N}]+){0,5} (?:sprechen|reden|chatten|schreiben|verbinden|verbunden|weiterleiten|telefonieren|unterhalten) /u,
  / (?:verbinden|verbinde|leiten|gib|geben)(?: (?:sie|du|mich|mir|uns|bitte|mal|doch)){0,4}?(?: (?:mit|an|zu))?(?: (?:einem|einer|einen|eine|dem|der|den|echten|echter|menschlichen)){0,3} (?:mensch|menschen|person|mitarbeiter|mitarbeiterin|berater|kundenservice|kundendienst) | (?:echter|echten|richtiger|richtigen|menschlicher|menschlichen) (?:mensch|menschen|mitarbeiter|person|ansprechpartner) /,
  // French
  / (?:parler|discuter|echanger|parle|communiquer)(?: (?:directement|avec|a|au|aux)){0,4}?(?: (?:un|une|le|la|les|des|votre|vos|vrai|vraie|veritable)){0,4}? (?:humain|personne|conseiller|conseillere|agent|operateur|operatrice|quelquun|responsable|vrai personne|service client|support|equipe|collaborateur) | (?:vraie personne|etre humain|vrai conseiller|agent humain) | mettez moi en (?:relation|contact) avec /,
  // Spanish
  / (?:hablar|hablo|chatear|comunicarme|comuniqueme|comunicame|pasame|paseme|conectarme|atienda)(?: (?:directamente|con|a|de|por|me)){0,4}?(?: (?:un|una|el|la|los|algun|alguna|su|tu|persona real)){0,4}? (?:humano|humana|persona|agente|asesor|asesora|operador|operadora|alguien|representante|ejecutivo|supervisor|encargado|soporte|atencion al cliente) | (?:persona real|agente humano|ser humano) /,
  // Portuguese
  / (?:falar|falo|conversar)(?: (?:diretamente|com|para|a|me)){0,4}?(?: (?:um|uma|o|a|algum|alguma|seu|sua|pessoa real)){0,4}? (?:humano|humana|pessoa|atendente|agente|alguem|operador|operadora|assistente humano|consultor|representante|gerente|suporte) | (?:pessoa real|pessoa de verdade|(?:transferir|transfira|transfere|passar|passa) para (?:um |uma |o |a )?(?:atendente|humano|humana|operador|operadora)|atendente humano|atendimento humano|ser humano) /,
  // Italian
  / (?:parlare|parlo|chattare|passatemi|passami|mettersi in contatto)(?: (?:direttamente|con|a|al)){0,4}?(?: (?:un|una|il|la|lo|vostro|vero|vera)){0,4}? (?:umano|umana|persona|operatore|operatrice|agente|qualcuno|consulente|responsabile|addetto|assistenza|essere umano) | (?:persona reale|persona vera|operatore umano|essere umano) /,
  // Dutch
  / (?:met|naar)(?: (?:een|de|iemand|echte|echt|menselijke|jullie|uw)){0,3} (?:mens|persoon|medewerker|medewerkster|iemand|collega|klantenservice|adviseur|agent|van jullie)(?: [\p{L}\p{N}]+){0,4} (?:praten|spreken|chatten|bellen|doorverbinden|doorverbonden) | (?:praten|spreken|chatten|doorverbinden|doorverbonden)(?: (?:worden|met|naar|een|de|echt|echte)){0,4}? (?:mens|persoon|medewerker|iemand|collega|klantenservice|adviseur) | echt (?:mens|persoon) | echte (?:mens|persoon|medewerker) /u,
  // Hindi, in Devanagari and in Latin letters
  / (?:इंसान|इनसान|व्यक्ति|एजेंट|प्रतिनिधि|आदमी|किसी|अधिकारी|कस्टमर केयर)(?: (?:व्यक्ति|इंसान|एजेंट|असली))?(?: (?:से|के साथ)) (?:बात|चैट|जोड|जोडे|मिला) | (?:insaan|insan|vyakti|agent|aadmi|admi|human|executive|person|kisi|customer care)(?: (?:insaan|vyakti|agent|person))? (?:se|ke saath|ke sath) (?:baat|bat|chat|connect) /,
  // Arabic
  / (?:التحدث|اتحدث|التكلم|اتكلم|اكلم|الدردشه|تحويلي|حولني|حولوني|توصيلي|تحدث)(?: (?:الي|مع|الى))?(?: (?:احد|اي))? (?:شخص|موظف|موظفه|انسان|ممثل|مندوب|وكيل|مسؤول|احد|بشري|الموظف|خدمه العملاء|الدعم) | (?:شخص حقيقي|موظف حقيقي|انسان حقيقي) /,
];
/** Requests in scripts without spaces. The pattern matches the words without separators. */
const UNSPACED_REQUEST =
  /(?:担当者|オペレーター|オペレータ|スタッフ|係員|係の人|有人|人間|係の方|担当の方|サポートの人)(?:の方|の人)?(?:と|に|へ)(?:直接)?(?:話|はな|繋|つな|連絡|相談|代わ|変わ|替わ|かわ|チャット|聞)|有人(?:チャット|対応|サポート)|人と(?:話|はな)し|(?:转|轉|找|联系|聯繫)?人工(?:客服|服务|服務)|转人工|轉人工|真人(?:客服)?/u;

/** Phrases that request a person only if they are the whole message. They are separated by commas. */
const LONE = new Set(
  `human, humans, a human, person, a person, agent, an agent, live agent, operator, representative, representative please,
  rep, support agent, human please, agent please, person please, operator please, real person, real human, live chat,
  live support, live person, talk to human, talk to agent, talk to person, speak to human, someone, customer service,
  customer support, customer care, handoff, call me a human, mensch, menschen, mitarbeiter, mitarbeiterin, berater, person bitte,
  mitarbeiter bitte, mensch bitte, einen menschen bitte, einen mitarbeiter bitte, kundenservice, kundendienst,
  ansprechpartner, humain, un humain, conseiller, conseillère, un conseiller, conseiller svp, personne, une personne,
  agent svp, opérateur, service client, humano, un humano, agente, un agente, persona, una persona, asesor, un asesor,
  operador, operadora, agente por favor, persona por favor, asesor por favor, atención al cliente, pessoa, uma pessoa,
  atendente, um atendente, atendente por favor, humano por favor, atendimento humano, falar com atendente, umano,
  operatore, un operatore, operatore per favore, consulente, servizio clienti, assistenza clienti, medewerker,
  een medewerker, medewerker graag, medewerker alstublieft, mens, een mens, klantenservice, एजेंट, इंसान, व्यक्ति,
  प्रतिनिधि, ग्राहक सेवा, कस्टमर केयर, एजेंट चाहिए, customer care se baat, insaan, موظف, شخص, انسان, وكيل, خدمة العملاء,
  ممثل, موظف من فضلك, 担当者, オペレーター, スタッフ, 有人, 人間, 担当者お願いします, オペレーターお願いします, 人工, 人工客服, 客服,
  真人`
    .split(',')
    .map((phrase) => wordsOf(phrase).joined),
);

/** Negations immediately before a request: `I do not want to` negates it, `it did not help` does not. */
const NEGATION = new RegExp(
  ` (?:not|dont|doesnt|never|without|nicht|kein|keine|keinen|keinem|ohne|pas|sans|no|sin|nao|sem|non|senza|niet|geen|zonder|नहीं|मत|nahi|لا|ليس|بدون)` +
    `(?: (?:want|wanna|need|wish|like|have|having|to|even|mehr|mochte|will|muss|veux|voudrais|envie|de|besoin|quiero|deseo|necesito|quero|preciso|voglio|devo|wil|hoef|meer|اريد|احتاج)){0,3}$`,
  'u',
);
const LOOK_BACK = 60;

/** Whether the message requests a person, in any of the supported languages. */
export function asksForPerson(words: Words): boolean {
  if (words.list.length === 0) return false;
  if (LONE.has(words.joined) || UNSPACED_REQUEST.test(words.joined)) return true;
  return REQUESTS.some((request) => {
    const found = request.exec(words.padded);
    if (!found) return false;
    return !NEGATION.test(words.padded.slice(Math.max(0, found.index - LOOK_BACK), found.index));
  });
}
