import { isByAgent, type StoredConversation, type StoredMessage } from './stored-conversations';
import type { MessageRecord, VisitorConversation, VisitorPost } from './visitor-conversation';

/** Every question is a complete turn, and only the bot or the agent in charge has answered. */
export function transcriptViolations(
  stored: StoredConversation,
  conversation: VisitorConversation | undefined,
): string[] {
  const found: string[] = [];
  const report = (violation: string): void => void found.push(`conversation ${stored.id}: ${violation}`);
  const { lastSeq, transcript } = stored;
  if (transcript.length !== lastSeq || transcript.some(({ seq }, index) => seq !== index + 1)) {
    report(`the transcript has gaps: ${transcript.map(({ seq }) => seq).join()} of ${lastSeq}`);
  }
  checkTurns(stored, conversation, report);
  checkAuthors(stored, report);
  return found;
}

type Report = (violation: string) => void;

function checkTurns(
  { transcript, turns }: StoredConversation,
  conversation: VisitorConversation | undefined,
  report: Report,
): void {
  const turnOf = new Map(turns.map((turn) => [turn.questionId, turn]));
  const replies = new Set<string>();
  for (const [index, message] of transcript.entries()) {
    if (message.role !== 'user') continue;
    const turn = turnOf.get(message.id);
    const next = transcript[index + 1];
    turnOf.delete(message.id);
    // The question that starts a conversation has no key. If its answer was lost, the visitor does not know the id of
    // the question.
    const isOpening = index === 0 && (!conversation || conversation.openingReply !== null);
    if (!turn && !isOpening) report(`question ${message.seq} belongs to no idempotency key`);
    const isAnswered = next?.role === 'assistant' && !isByAgent(next);
    if (isAnswered) replies.add(next.id);
    if (turn && turn.paused === isAnswered) report(`question ${message.seq} is ${isAnswered ? '' : 'not '}answered`);
    if (turn && !turn.paused && next?.id !== turn.replyId)
      report(`question ${message.seq} is not followed by its answer`);
    if (!turn && !isAnswered) report('the opening question has no answer');
  }
  for (const { key, questionId } of turnOf.values()) report(`the question ${questionId} of key ${key} does not exist`);
  for (const message of transcript) {
    if (message.role !== 'assistant' || isByAgent(message) || replies.has(message.id)) continue;
    report(`answer ${message.seq} belongs to no question`);
  }
}

function checkAuthors({ id, lastSeq, transcript, changes }: StoredConversation, report: Report): void {
  const initial = { conversationId: id, seq: 0, status: 'open', isTakenOver: false } as const;
  for (const [index, { seq, status, isTakenOver }] of [initial, ...changes].entries()) {
    for (const message of transcript.slice(seq, changes[index]?.seq ?? lastSeq)) {
      if (status !== 'open') report(`message ${message.seq} was added while the conversation was ${status}`);
      if (isTakenOver && message.role === 'assistant' && !isByAgent(message)) {
        report(`the bot wrote message ${message.seq} while an agent had taken over`);
      }
    }
  }
}

/** Every answer that a visitor received is stored unchanged. */
export function answerViolations(conversation: VisitorConversation, stored: StoredConversation | undefined): string[] {
  if (!stored) return [`conversation ${conversation.id}: acknowledged and lost`];
  const found: string[] = [];
  const report = (violation: string): void => void found.push(`conversation ${conversation.id}: ${violation}`);
  const byId = new Map(stored.transcript.map((message) => [message.id, message]));
  const byKey = new Map(stored.turns.map((turn) => [turn.key, turn]));
  const compare = (name: string, answered: MessageRecord): StoredMessage | undefined => {
    const message = byId.get(answered.id);
    if (!message) report(`${name} was returned and is not stored`);
    else if (
      message.content !== answered.content ||
      message.role !== answered.role ||
      message.contentType !== answered.contentType
    ) {
      report(`${name} differs from the stored message`);
    }
    return message;
  };
  if (conversation.openingReply) compare('the opening reply', conversation.openingReply);
  const positions: QuestionPosition[] = [];
  for (const { idempotencyKey: key, step, outcome, answer } of conversation.posts) {
    const turn = byKey.get(key);
    if (outcome === 'refused' && turn) report(`${key} was refused and is stored`);
    if (!answer) continue;
    const { userMessage, reply, paused, submission } = answer;
    const question = compare(`the question of ${key}`, userMessage);
    if (question) positions.push({ step, seq: question.seq });
    if (reply) compare(`the reply to ${key}`, reply);
    const returned = [userMessage.id, reply?.id ?? null, submission?.id ?? null, paused ?? reply === null].join();
    const kept = turn && [turn.questionId, turn.replyId, turn.submissionId, turn.paused].join();
    if (returned !== kept) report(`the answer to ${key} was ${returned}, stored is ${kept ?? 'nothing'}`);
  }
  if (isOutOfOrder(positions)) report('the order of the questions differs from the order of their answers');
  return found;
}

interface QuestionPosition {
  step: number;
  seq: number;
}

/** Whether a question of an earlier step follows one of a later step. */
function isOutOfOrder(positions: readonly QuestionPosition[]): boolean {
  const lastOfStep = new Map<number, number>();
  for (const { step, seq } of positions) lastOfStep.set(step, Math.max(lastOfStep.get(step) ?? 0, seq));
  return positions.some(({ step, seq }) => [...lastOfStep].some(([other, last]) => other < step && last > seq));
}

/** The submissions that were acknowledged, with their email addresses. */
export function acknowledgedSubmissions(posts: readonly VisitorPost[]): { id: string; email: string }[] {
  return posts.flatMap(({ answer, email }) =>
    answer?.submission && email !== undefined ? [{ id: answer.submission.id, email }] : [],
  );
}
