import type { AvailableBot, AvailableForm, AvailableShortcut } from '@heliograph/bot-catalog';
import type { Finding } from '@heliograph/bot-search';
import { AppError } from '@heliograph/errors';
import { isNo, isYes, smallTalkOf, type SmallTalk } from './phrases/small-talk';
import { pick, repliesOf, suggestionsOf } from './quick-replies';
import type { Action, Asked, EngineState, Replied, ReplyStep } from './reply';
import { Search } from './search-answer';
import { listCommands, slashCommandOf } from './slash-command';
import { triggerOf } from './triggers';
import { Turn, type TurnSources } from './turn';
import { wordsOf } from './words';

/** After so many turns in a row without an answer the bot offers another way. */
const MISSES_UNTIL_OFFER = 2;

/**
 * What a bot says to a visitor's turn, and what it keeps for the next. In this order: what was clicked, a slash command,
 * a FAQ that is the very question, small talk, a person, a form, any other FAQ, the bot's knowledge, the language model,
 * and in the end the bot's fallback. A message that is nothing but an owner's keyword brings up what that stands for
 * before all of these. Throws INVALID_ACTION for an action that is not the bot's, and what the
 * sources throw.
 */
export async function replyTo(
  asked: Asked,
  bot: AvailableBot,
  state: EngineState,
  sources: TurnSources,
): Promise<Replied> {
  const turn = new Turn(bot, state, sources);
  if (asked.kind === 'submission') return confirm(turn, asked.formId);
  const { action, text, isOpening } = asked;
  const replied = action ? await act(turn, action) : await answer(turn, text);
  return isOpening ? withSuggestions(turn, replied) : replied;
}

function confirm(turn: Turn, formId: string): Replied {
  const form = turn.bot.forms.find(({ id }) => id === formId);
  return turn.reply('form', spoken(form?.confirmation) ?? turn.lines.confirmation, { submitted: formId });
}

async function act(turn: Turn, action: Action): Promise<Replied> {
  if (action.type === 'faq') {
    const replied = await showFaq(turn, 'action', action.id);
    if (replied) return replied;
    throw invalidAction('This FAQ is not available. Ask the question as a message instead.');
  }
  const shortcut = turn.bot.shortcuts.find(({ id }) => id === action.id);
  if (!shortcut) throw invalidAction('This shortcut is not available. Load the shortcuts of the bot again.');
  if (shortcut.command !== action.command) {
    throw invalidAction('The command is not that of the shortcut. Send the shortcut’s id and command as they came.');
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
  const isAnswered = async (): Promise<boolean> => words.list.length > 0 && (await search.findsTheVeryQuestion());
  // Whoever asks what it is talking to gets the truth: `are you a real person` is no call for one.
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

/** What a shortcut stands for; one that names nothing that is there asks for its words. */
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
  const text = spoken(asksQuery ? query : null) ?? spoken(rest) ?? label;
  return lookUp(turn, new Search(turn, text, { knowledgeFirst: type === 'knowledge_query' }));
}

async function lookUp(turn: Turn, search: Search): Promise<Replied> {
  const found = await search.answer();
  return found.replied ?? fallBack(turn, found.near);
}

async function showFaq(turn: Turn, via: ReplyStep, publicId: string): Promise<Replied | null> {
  const faq = await turn.sources.faq(publicId);
  const content = spoken(faq?.answer);
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

/** The bot's line for what it does not know, with what may be meant; after some of them with another way to an answer. */
function fallBack(turn: Turn, near: readonly Finding[]): Replied {
  const { bot, lines } = turn;
  const missed = turn.missed + 1;
  const quickReplies = pick([...repliesOf(near, bot), ...suggestionsOf(bot)], turn.answered);
  const content = [spoken(bot.settings.fallback) ?? lines.fallback];
  const isOfferDue = missed >= MISSES_UNTIL_OFFER;
  const { isEnabled, isOffered } = bot.settings.handoff;
  const offersPerson = isOfferDue && isOffered;
  const form = isOfferDue && !isEnabled ? contactForm(turn) : undefined;
  if (offersPerson) content.push(lines.offerPerson.replace('{word}', () => lines.personWord));
  if (form) content.push(lines.offerForm);
  if (quickReplies && !form && bot.settings.fallback === null) content.push(lines.perhapsThese);
  return turn.reply('fallback', content.join('\n\n'), {
    quickReplies,
    missed,
    offersPerson,
    ...(form ? { form } : {}),
  });
}

/** A form by which the visitor can be reached, else the first one; none that was filled in. */
function contactForm(turn: Turn): AvailableForm | undefined {
  const open = turn.bot.forms.filter((form) => turn.isOpen(form));
  return open.find(({ fields }) => fields.some(({ type }) => isAddress(type))) ?? open[0];
}

function isAddress(type: string): boolean {
  return ['email', 'phone', 'tel', 'mobile'].includes(type);
}

/** An opening reply shows what else there is, unless it shows something already. */
function withSuggestions(turn: Turn, replied: Replied): Replied {
  if (replied.reply.quickReplies) return replied;
  const quickReplies = pick(suggestionsOf(turn.bot), replied.state.answered ?? []);
  return { ...replied, reply: { ...replied.reply, quickReplies } };
}

/** The text when there is something in it. */
function spoken(text: string | null | undefined): string | null {
  return text === null || text === undefined || text.trim() === '' ? null : text;
}
