import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { MessageRecord, ReplyRecord } from '../messages/message.dto';

export class SubmitFormRequest {
  /** Answers by key. SubmissionsService validates them against the fields of the form. */
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Answers, by the keys of the fields of the form',
  })
  @Allow()
  answers: unknown;
}

export class SubmissionRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty()
  formId: string;
  @ApiProperty({ format: 'uuid' })
  conversationId: string;
  @ApiProperty({ enum: ['received'] })
  status: string;
}

export class SubmitFormResponse {
  @ApiProperty({ type: SubmissionRecord })
  submission: SubmissionRecord;
  @ApiProperty({ type: MessageRecord })
  userMessage: MessageRecord;
  @ApiProperty({ type: ReplyRecord, nullable: true })
  reply: ReplyRecord | null;
}

/** Converts absent answers to null, so that both forms have the same fingerprint. */
export const normalizeSubmitForm = ({ answers = null }: Record<string, unknown>): object => ({ answers });
