import { Injectable } from '@nestjs/common';
import { BotDirectory, type AvailableForm } from '@heliograph/bot-catalog';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { fingerprint, type Answer as OnceAnswer, type IdempotentCall } from '@heliograph/idempotency';
import { botUnavailable } from '../conversations/bot-unavailable';
import type { ConversationState } from '../conversations/conversations.repository';
import { IdempotentTurnsService } from '../conversations/idempotent-turns.service';
import { MessageRecord, ReplyRecord, type SubmissionAnswer } from '../conversations/records.dto';
import { TurnsService, type RecordedTurn } from '../conversations/turns.service';
import { contactDetails } from './contact-details';
import { submissionNotice } from './submission-notice';
import { validateAnswers, type Answer } from './validate-answers';

interface SubmissionCall {
  formId: string;
  /** The answers before validation. */
  answers: unknown;
  key: string | undefined;
  correlationId: string;
}

/** Accepts form submissions of visitors. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly directory: BotDirectory,
    private readonly turns: TurnsService,
    private readonly idempotentTurns: IdempotentTurnsService,
  ) {}

  /** Throws BOT_UNAVAILABLE, NOT_FOUND, INVALID_SUBMISSION, CONVERSATION_CLOSED. */
  submit(conversation: ConversationState, submission: SubmissionCall): Promise<OnceAnswer<SubmissionAnswer>> {
    const { formId, answers, key } = submission;
    const call: IdempotentCall | null =
      key === undefined
        ? null
        : {
            callerId: conversation.id,
            endpoint: 'bot.submission',
            key,
            fingerprint: fingerprint({ formId, answers: answers ?? null }),
          };
    return this.idempotentTurns.run(call, {
      first: (claimed) => this.record(conversation, submission, claimed),
      repeat: (turn, submissionId) => answerOf(conversation, formId, submissionId ?? '', turn),
    });
  }

  private async record(
    conversation: ConversationState,
    { formId, answers: given, correlationId }: SubmissionCall,
    call: IdempotentCall | null,
  ): Promise<SubmissionAnswer | 'repeated'> {
    const { form, locale } = await this.form(conversation, formId);
    const answers = assertValid(form, given);
    const submission = { id: newId(), form_id: form.id, form_title: form.title, answers };
    const details = contactDetails(form.fields, answers);
    const turn = await this.turns.take(conversation, {
      input: { kind: 'submission', formId: form.id },
      question: {
        id: newId(),
        content: submissionNotice(form.title, locale),
        content_type: 'form',
        metadata: { formId: form.id, title: form.title, answers },
      },
      submission,
      contact: details && { id: newId(), ...details },
      call,
      correlationId,
    });
    return turn === 'repeated' ? turn : answerOf(conversation, form.id, submission.id, turn);
  }

  private async form(
    { botPublicId }: ConversationState,
    formId: string,
  ): Promise<{ form: AvailableForm; locale: string }> {
    const bot = await this.directory.available(botPublicId);
    if (!bot) throw botUnavailable();
    const form = bot.forms.find(({ id }) => id === formId);
    if (!form) throw new AppError('NOT_FOUND', 'Unknown form. The start of a conversation lists the forms of the bot.');
    return { form, locale: bot.locale };
  }
}

function assertValid({ fields }: AvailableForm, given: unknown): Answer[] {
  const read = validateAnswers(fields, given);
  if ('answers' in read) return read.answers;
  const { problems } = read;
  throw new AppError(
    'INVALID_SUBMISSION',
    problems.length > 0
      ? 'Some answers are missing or invalid. fields explains what to enter.'
      : 'Send answers as an object: {"answers": {"<key of a field>": <value>}}.',
    { details: { fields: problems } },
  );
}

function answerOf({ id: conversationId }: ConversationState, formId: string, id: string, turn: RecordedTurn) {
  return {
    submission: { id, formId, conversationId, status: 'received' },
    userMessage: MessageRecord.of(turn.question),
    reply: turn.reply && ReplyRecord.of(turn.reply),
  } satisfies SubmissionAnswer;
}
