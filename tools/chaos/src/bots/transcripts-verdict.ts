import type { Chat, MessageRecord, Post } from './chat-records';
import { isAgents, type StoredConversation, type StoredMessage } from './stored-bots';

/** What is wrong with a stored conversation by itself: every question is a whole turn, and only who ruled has answered. */
export function wrongTranscript({ id, lastSeq, transcript, turns, rules }: StoredConversation, chat: Chat | undefined) {
  const found: string[] = [];
  const wrong = (what: string): void => void found.push(`conversation ${id}: ${what}`);
  if (transcript.length !== lastSeq || transcript.some(({ seq }, index) => seq !== index + 1)) {
    wrong(`has gaps: ${transcript.map(({ seq }) => seq).join()} of ${lastSeq}`);
  }
  const turnOf = new Map(turns.map((turn) => [turn.questionId, turn]));
  const replies = new Set<string>();
  for (const [index, message] of transcript.entries()) {
    if (message.role !== 'user') continue;
    const turn = turnOf.get(message.id);
    const next = transcript[index + 1];
    turnOf.delete(message.id);
    // Only a start has a question without a key, and visitors whom its answer did not reach know nothing of it.
    const isOpening = index === 0 && (!chat || chat.opening !== null);
    if (!turn && !isOpening) wrong(`the question ${message.seq} belongs to no key`);
    const isAnswered = next?.role === 'assistant' && !isAgents(next);
    if (isAnswered) replies.add(next.id);
    if (turn && turn.paused === isAnswered) wrong(`the question ${message.seq} is ${isAnswered ? '' : 'not '}answered`);
    if (turn && !turn.paused && next?.id !== turn.replyId) wrong(`after the question ${message.seq} is not its answer`);
    if (!turn && !isAnswered) wrong('its opening has no answer');
  }
  for (const { key, questionId } of turnOf.values()) wrong(`the key ${key} has no question ${questionId}`);
  for (const message of transcript) {
    if (message.role !== 'assistant' || isAgents(message) || replies.has(message.id)) continue;
    wrong(`the answer ${message.seq} belongs to no question`);
  }
  // The bot rules an open conversation until something else is said of it.
  const before = { conversationId: id, seq: 0, status: 'open', isTakenOver: false } as const;
  for (const [index, { seq, status, isTakenOver }] of [before, ...rules].entries()) {
    for (const message of transcript.slice(seq, rules[index]?.seq ?? lastSeq)) {
      if (status !== 'open') wrong(`${message.seq} was said when it was ${status}`);
      if (isTakenOver && message.role === 'assistant' && !isAgents(message)) {
        wrong(`the bot said ${message.seq} when a person had taken over`);
      }
    }
  }
  return found;
}

/** What is stored other than its visitor was told. */
export function wrongAnswers(chat: Chat, stored: StoredConversation | undefined): string[] {
  if (!stored) return [`conversation ${chat.id}: acknowledged and lost`];
  const found: string[] = [];
  const wrong = (what: string): void => void found.push(`conversation ${chat.id}: ${what}`);
  const byId = new Map(stored.transcript.map((message) => [message.id, message]));
  const byKey = new Map(stored.turns.map((turn) => [turn.key, turn]));
  const compare = (name: string, told: MessageRecord): StoredMessage | undefined => {
    const kept = byId.get(told.id);
    if (!kept) wrong(`${name} was told and is not stored`);
    else if (kept.content !== told.content || kept.role !== told.role || kept.contentType !== told.contentType) {
      wrong(`${name} was told other than it is stored`);
    }
    return kept;
  };
  if (chat.opening) compare('the opening reply', chat.opening);
  const places: { step: number; seq: number }[] = [];
  for (const { key, step, outcome, answer } of chat.posts) {
    const turn = byKey.get(key);
    if (outcome === 'refused' && turn) wrong(`${key} was refused and is stored`);
    if (!answer) continue;
    const { userMessage, reply, paused, submission } = answer;
    const question = compare(`the question of ${key}`, userMessage);
    if (question) places.push({ step, seq: question.seq });
    if (reply) compare(`the answer to ${key}`, reply);
    const told = [userMessage.id, reply?.id ?? null, submission?.id ?? null, paused ?? reply === null].join();
    const kept = turn && [turn.questionId, turn.replyId, turn.submissionId, turn.paused].join();
    if (told !== kept) wrong(`${key} was told ${told} and stored ${kept ?? 'not at all'}`);
  }
  if (isDisordered(places)) wrong(`its questions are in another order than they were answered in`);
  return found;
}

/** What was answered before another was sent stands before it. */
function isDisordered(places: readonly { step: number; seq: number }[]): boolean {
  const latest = new Map<number, number>();
  for (const { step, seq } of places) latest.set(step, Math.max(latest.get(step) ?? 0, seq));
  return places.some(({ step, seq }) => [...latest].some(([other, last]) => other < step && last > seq));
}

/** Ids of submissions that were acknowledged, with their mail addresses; those of who left are among neither. */
export function submissionsOf(posts: readonly Post[]): { id: string; email: string }[] {
  return posts.flatMap(({ answer, email }) =>
    answer?.submission && email !== undefined ? [{ id: answer.submission.id, email }] : [],
  );
}
