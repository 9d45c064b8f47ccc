import type { AvailableBot, AvailableForm } from '@heliograph/bot-catalog';
import { LRUCache } from 'lru-cache';
import { asksForPerson } from './phrases/person-requests';
import type { EngineState } from './reply';
import { indexOfPhrase, isSame, wordsOf, type Words } from './words';

/** A target that a message triggers. */
export interface Trigger {
  what: { kind: 'handoff' } | { kind: 'form'; form: AvailableForm };
  /**
   * True if the message contains only the trigger. The trigger then takes precedence over every answer. In a longer
   * message, an FAQ with exactly this question takes precedence: `how long does a demo take` does not request the form
   * `demo`.
   */
  isWhole: boolean;
}

/** Limits the memory of the compiled phrases. */
const MAX_COMPILED = 10_000;
/** Words that a request may contain in addition to the trigger. */
const WANTING = new Set(
  `a an the i id we my me us you your to of for with in on and or please pls plz want wanna would like need can could may
  might get have give make take see start do book request schedule arrange order open show fill out new now today here hi
  hello hey thanks let lets go ok yes
  bitte ich wir mir uns mich einen eine ein einem einer den die das der dem fur mit zu zum zur und mochte mochten will wollen
  wurde gern gerne brauche haben hatte buchen vereinbaren anfragen anfordern bestellen ausfullen machen kann konnte hallo
  je nous moi un une le la les de du des pour avec et voudrais veux souhaite souhaiterais aimerais peux puis demander
  reserver prendre avoir faire svp sil vous plait merci bonjour
  yo quiero quisiera deseo necesito me gustaria puedo un una unos el los las de del para con y pedir solicitar reservar
  agendar hacer tener por favor hola gracias
  eu quero queria gostaria preciso posso um uma o os as do da dos das para com e pedir solicitar agendar marcar fazer ter
  ola obrigado io vorrei voglio devo posso uno il lo gli di del della per e chiedere prenotare fare avere ciao grazie
  ik wij wil willen zou graag een het van voor met en aanvragen boeken maken plannen kan mag hoi alstublieft alsjeblieft
  मुझे हमें मैं हम एक का की के को करना करनी करवाना चाहिए है चाहता चाहती हूं हैं कृपया बुक mujhe ek chahiye karna karni hai ka ki ke
  اريد ارغب في احتاج ان من فضلك حجز طلب`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Returns the target that a message triggers. A person takes precedence over a form, and a form with a longer phrase over other forms. */
export function triggerOf(words: Words, bot: AvailableBot, state: EngineState): Trigger | null {
  const { handoff } = bot.settings;
  if (handoff.isEnabled) {
    if (asksForPerson(words)) return { what: { kind: 'handoff' }, isWhole: false };
    const keyword = longest(words, handoff.keywords);
    if (keyword) return { what: { kind: 'handoff' }, isWhole: isWhole(words, keyword) };
  }
  let best: { form: AvailableForm; keyword: Words } | null = null;
  for (const form of bot.forms) {
    if (state.submitted?.includes(form.id)) continue;
    const keyword = longest(words, form.triggerKeywords);
    if (keyword && (!best || keyword.joined.length > best.keyword.joined.length)) best = { form, keyword };
  }
  return best && { what: { kind: 'form', form: best.form }, isWhole: isWhole(words, best.keyword) };
}

function longest(words: Words, phrases: readonly string[]): Words | null {
  let best: Words | null = null;
  for (const phrase of phrases.map(compiled)) {
    if (indexOfPhrase(words, phrase) >= 0 && (!best || phrase.joined.length > best.joined.length)) best = phrase;
  }
  return best;
}

/** The phrases of the bots of the last turns. */
const known = new LRUCache<string, Words>({ max: MAX_COMPILED });

function compiled(phrase: string): Words {
  const words = known.get(phrase) ?? wordsOf(phrase);
  known.set(phrase, words);
  return words;
}

function isWhole(words: Words, phrase: Words): boolean {
  return isSame(words, phrase) || words.list.every((word) => phrase.list.includes(word) || WANTING.has(word));
}
