import type { AvailableBot, AvailableForm, AvailableShortcut } from '@heliograph/bot-catalog';
import type { Finding } from '@heliograph/bot-search';
import { AppError } from '@heliograph/errors';
import { isNo, isYes, smallTalkOf, type SmallTalk } from './phrases/small-talk';
import { personReply, pick, repliesOf, suggestionsOf } from './quick-replies';
import { PERSON_FAQ_ID, type Action, type TurnInput, type EngineState, type Replied, type ReplyStep } from './reply';
import { Search } from './search-answer';
import { listCommands, slashCommandOf } from './slash-command';
import { triggerOf } from './triggers';
import { Turn, type TurnSources } from './turn';
import { wordsOf } from './words';

/** Consecutive turns without an answer after which the bot offers an alternative. */
const MISSES_UNTIL_OFFER = 2;

/**
 * Generates the reply to a visitor's turn and the state for the next one. The sources are tried in this order: an
 * action, a slash command, an FAQ with exactly this question, small talk, a request for a person, a form, other FAQs,
 * the knowledge of the bot, the language model, and the fallback. A message that consists of a keyword of the owner
 * triggers the target of the keyword before all other sources. Throws INVALID_ACTION for an action that does not belong
 * to the bot, and the errors of the sources.
 */
export async function replyTo(
  input: TurnInput,
  bot: AvailableBot,
  state: EngineState,
  sources: TurnSources,
): Promise<Replied> {
  const turn = new Turn(bot, state, sources);
  if (input.kind === 'submission') return confirm(turn, input.formId);
  const { action, text, isOpening } = input;
  const replied = action ? await act(turn, action) : await answer(turn, text);
  return isOpening ? withSuggestions(turn, replied) : replied;
}

function confirm(turn: Turn, formId: string): Replied {
  const form = turn.bot.forms.find(({ id }) => id === formId);
  return turn.reply('form', nonBlank(form?.confirmation) ?? turn.lines.confirmation, { submitted: formId });
}

async function act(turn: Turn, action: Action): Promise<Replied> {
  if (action.type === 'faq') {
    if (action.id === PERSON_FAQ_ID && turn.bot.settings.handoff.isEnabled) return handOver(turn);
    const replied = await showFaq(turn, 'action', action.id);
    if (replied) return replied;
    throw invalidAction('This FAQ is not available. Ask the question as a message instead.');
  }
  const shortcut = turn.bot.shortcuts.find(({ id }) => id === action.id);
  if (!shortcut) throw invalidAction('This shortcut is not available. Load the shortcuts of the bot again.');
  if (shortcut.command !== action.command) {
    throw invalidAction(
      'The command does not belong to the shortcut. Send the id and the command of the shortcut unchanged.',
    );
  }
  return run(turn, 'action', shortcut, '');
}

function invalidAction(message: string): AppError {
  return new AppError('INVALID_ACTION', message);
}

async function answer(turn: Turn, text: string): Promise<Replied> {
  const { bot, lines } = turn;
  const command = slashCommandOf(text, bot);
  if (command?.kind === 'shortcut') return run(turn, 'command', command.shortcut, command.rest);
  if (command?.kind === 'help') return help(turn, 'command', listCommands(bot, lines));
  if (command) return lookUp(turn, new Search(turn, text.trim().replace(/^\/+/, '')));

  const words = wordsOf(text);
  if (turn.wasOfferedPerson && bot.settings.handoff.isEnabled && isYes(words)) return handOver(turn);
  if (turn.wasOfferedPerson && isNo(words)) return turn.reply('small-talk', lines.noCommands);
  const smallTalk = smallTalkOf(text, words, bot.name);
  const search = new Search(turn, text);
  const isAnswered = async (): Promise<boolean> => words.list.length > 0 && (await search.findsExactQuestion());
  // A question about the bot, such as `are you a real person`, is answered truthfully and does not request a person.
  if (smallTalk === 'identity' && !(await isAnswered())) return chat(turn, smallTalk);
  const trigger = triggerOf(words, bot, { submitted: [...turn.submitted] });
  if (trigger && (trigger.isWhole || !(await isAnswered()))) {
    return trigger.what.kind === 'handoff' ? handOver(turn) : showForm(turn, 'form', trigger.what.form);
  }
  if (smallTalk && !(await isAnswered())) return chat(turn, smallTalk);
  return words.list.length === 0 ? fallBack(turn, []) : lookUp(turn, search);
}

function chat(turn: Turn, smallTalk: SmallTalk): Replied {
  const line = turn.lines[smallTalk].replace('{name}', () => turn.bot.name);
  return turn.reply('small-talk', line, { missed: turn.missed });
}

/** Replies with the target of a shortcut. If the target does not exist, searches for the label of the shortcut. */
async function run(turn: Turn, via: ReplyStep, shortcut: AvailableShortcut, rest: string): Promise<Replied> {
  const { type, query, label } = shortcut;
  const { forms, settings } = turn.bot;
  if (type === 'handoff' && settings.handoff.isEnabled) return handOver(turn);
  if (type === 'faq' && query !== null) {
    const replied = await showFaq(turn, via, query);
    if (replied) return replied;
  }
  if (type === 'form') {
    const form = forms.find(({ id }) => id === query);
    if (form) return showForm(turn, via, form);
  }
  const asksQuery = type !== 'faq' && type !== 'form';
  const text = nonBlank(asksQuery ? query : null) ?? nonBlank(rest) ?? label;
  return lookUp(turn, new Search(turn, text, { knowledgeFirst: type === 'knowledge_query' }));
}

async function lookUp(turn: Turn, search: Search): Promise<Replied> {
  const found = await search.answer();
  return found.replied ?? fallBack(turn, found.near);
}

async function showFaq(turn: Turn, via: ReplyStep, publicId: string): Promise<Replied | null> {
  const faq = await turn.sources.faq(publicId);
  const content = nonBlank(faq?.answer);
  return content === null ? null : turn.reply(via, content, { faqId: publicId });
}

function showForm(turn: Turn, via: ReplyStep, form: AvailableForm): Replied {
  return turn.reply(via, turn.lines.fillIn, { form });
}

function handOver(turn: Turn): Replied {
  return turn.reply('handoff', turn.bot.settings.handoff.message ?? turn.lines.handoff, { isHandoff: true });
}

function help(turn: Turn, via: ReplyStep, content: string): Replied {
  const quickReplies = pick(suggestionsOf(turn.bot), turn.answered);
  return turn.reply(via, content, { quickReplies, missed: turn.missed });
}

/**
 * Returns the fallback with similar FAQs and, if the bot has a hand-off, a person; after several turns without an answer,
 * its text offers the person or a form.
 */
function fallBack(turn: Turn, near: readonly Finding[]): Replied {
  const { bot, lines } = turn;
  const missed = turn.missed + 1;
  const similar = pick([...repliesOf(near, bot), ...suggestionsOf(bot)], turn.answered);
  const content = [nonBlank(bot.settings.fallback) ?? lines.fallback];
  const isOfferDue = missed >= MISSES_UNTIL_OFFER;
  const { isEnabled, isOffered } = bot.settings.handoff;
  const offersPerson = isOfferDue && isOffered;
  const form = isOfferDue && !isEnabled ? contactForm(turn) : undefined;
  if (offersPerson) content.push(lines.offerPerson.replace('{word}', () => lines.personWord));
  if (form) content.push(lines.offerForm);
  if (similar && !form && bot.settings.fallback === null) content.push(lines.perhapsThese);
  const person = isOffered ? personReply(lines.talkToPerson) : null;
  return turn.reply('fallback', content.join('\n\n'), {
    quickReplies: pick(similar ?? [], turn.answered, person),
    missed,
    offersPerson,
    ...(form ? { form } : {}),
  });
}

/** Returns a form with a contact field, otherwise the first form. Submitted forms are excluded. */
function contactForm(turn: Turn): AvailableForm | undefined {
  const open = turn.bot.forms.filter((form) => turn.isOpen(form));
  return open.find(({ fields }) => fields.some(({ type }) => isAddress(type))) ?? open[0];
}

function isAddress(type: string): boolean {
  return ['email', 'phone', 'tel', 'mobile'].includes(type);
}

/** An opening reply shows suggestions unless it already shows choices. */
function withSuggestions(turn: Turn, replied: Replied): Replied {
  if (replied.reply.quickReplies) return replied;
  const quickReplies = pick(suggestionsOf(turn.bot), replied.state.answered ?? []);
  return { ...replied, reply: { ...replied.reply, quickReplies } };
}

/** Returns the text, or null if it is blank. */
function nonBlank(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text;
}
