import type { Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { MessageRecord, ReplyRecord } from '../messages/message.dto';

export class SubmitFormRequest {
  /** Answers, by the keys of the fields of the form. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @Allow()
  answers: unknown;
}

export class SubmissionRecord {
  id: Uuid;
  formId: string;
  conversationId: Uuid;
  @ApiProperty({ enum: ['received'] })
  status: string;
}

export class SubmitFormResponse {
  submission: SubmissionRecord;
  userMessage: MessageRecord;
  reply: ReplyRecord | null;
}

/** Converts absent answers to null, so that both forms have the same fingerprint. */
export const normalizeSubmitForm = ({ answers = null }: Record<string, unknown>): object => ({ answers });
