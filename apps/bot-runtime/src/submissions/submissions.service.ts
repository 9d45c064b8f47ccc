import { Injectable } from '@nestjs/common';
import { BotDirectory, type AvailableForm } from '@heliograph/bot-catalog';
import { newId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { IdempotencyService } from '@heliograph/idempotency';
import { MessageRecord, ReplyRecord } from '../messages/message.dto';
import { botUnavailable } from '../turns/bot-unavailable';
import type { ConversationState } from '../visitors/conversations.repository';
import { TurnResponses } from '../turns/turn-responses';
import { TurnsService, type RecordedTurn, type TurnCall } from '../turns/turns.service';
import { contactDetails } from './contact-details';
import { submissionNotice } from './submission-notice';
import type { SubmitFormResponse } from './submit-form.dto';
import { validateAnswers, type Answer } from './validate-answers';

/** Accepts form submissions of visitors. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly directory: BotDirectory,
    private readonly turns: TurnsService,
    private readonly idempotency: IdempotencyService,
    private readonly answers: TurnResponses,
  ) {}

  /** Throws BOT_UNAVAILABLE, NOT_FOUND, INVALID_SUBMISSION, CONVERSATION_CLOSED. `answers` are not validated yet. */
  async submit(
    conversation: ConversationState,
    { formId, answers: given }: { formId: string; answers: unknown },
    call: TurnCall,
  ): Promise<SubmitFormResponse> {
    const record = async (): Promise<RecordedTurn> => {
      const { form, locale } = await this.form(conversation, formId);
      const answers = assertValid(form, given);
      const details = contactDetails(form.fields, answers);
      return this.turns.take(conversation, {
        ...call,
        input: { kind: 'submission', formId: form.id },
        question: {
          id: newId(),
          content: submissionNotice(form.title, locale),
          content_type: 'form',
          metadata: { formId: form.id, title: form.title, answers },
        },
        submission: { id: newId(), form_id: form.id, form_title: form.title, answers },
        contact: details && { id: newId(), ...details },
      });
    };
    return submitFormResponse(conversation.id, await this.idempotency.run(call.claim, record, this.answers));
  }

  private async form(
    { botPublicId }: ConversationState,
    formId: string,
  ): Promise<{ form: AvailableForm; locale: string }> {
    const bot = await this.directory.available(botPublicId);
    if (!bot) throw botUnavailable();
    const form = bot.forms.find(({ id }) => id === formId);
    if (!form)
      throw new AppError(
        'NOT_FOUND',
        'Unknown form. The response that starts a conversation lists the forms of the bot.',
      );
    return { form, locale: bot.locale };
  }
}

function submitFormResponse(
  conversationId: string,
  { question, reply, submissionId: id }: RecordedTurn,
): SubmitFormResponse {
  if (id === null) throw new Error('The turn has stored no submission.');
  const formId = String(question.metadata['formId']);
  return {
    submission: { id, formId, conversationId, status: 'received' },
    userMessage: MessageRecord.of(question),
    reply: reply && ReplyRecord.of(reply),
  };
}

function assertValid({ fields }: AvailableForm, given: unknown): Answer[] {
  const read = validateAnswers(fields, given);
  if ('answers' in read) return read.answers;
  const { problems } = read;
  throw new AppError(
    'INVALID_SUBMISSION',
    problems.length > 0
      ? 'Some answers are missing or invalid. Correct the answers that are listed in fields.'
      : 'Send answers as an object: {"answers": {"<key of a field>": <value>}}.',
    { details: { fields: problems } },
  );
}
