import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { PageQuery } from '../../http/query';
import { IsFilledText, IsIdText, IsMoment, MayBeAbsent } from '../../http/rules';
import type { SubmissionRow } from './submissions.service';

export class AnswerRecord {
  @ApiProperty({ example: 'email' })
  key: string;
  @ApiProperty({ example: 'Email', description: 'As the form asked it then' })
  label: string;
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }] })
  value: string | number;
}

export class SubmissionRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ example: 'bot_acme_help' })
  botId: string;
  @ApiProperty({ example: 'lead' })
  formId: string;
  @ApiProperty({ description: 'As it was then' })
  formTitle: string;
  @ApiProperty({ format: 'uuid' })
  conversationId: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  contactId: string | null;
  @ApiProperty({ example: 'received' })
  status: string;
  @ApiProperty({ type: [AnswerRecord], description: 'In the order of the form' })
  answers: AnswerRecord[];
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of(row: SubmissionRow): SubmissionRecord {
    const { id, botId, formId, formTitle, conversationId, contactId, status, answers, createdAt } = row;
    return {
      ...{ id, botId, formId, formTitle, conversationId, contactId, status },
      answers: answers.map(({ key, label, value }) => ({ key, label, value })),
      createdAt: createdAt.toISOString(),
    };
  }
}

export class OneSubmission {
  @ApiProperty()
  submission: SubmissionRecord;
}

export class SubmissionPage {
  @ApiProperty({ type: [SubmissionRecord] })
  submissions: SubmissionRecord[];
  @ApiPropertyOptional({ description: 'There when there are more' })
  nextCursor?: string;
}

/** Which submissions are meant. */
export class SubmissionExportQuery {
  @ApiPropertyOptional({ example: 'bot_acme_help' })
  @MayBeAbsent()
  @IsFilledText(200)
  botId?: string;
  @ApiPropertyOptional({ example: 'lead' })
  @MayBeAbsent()
  @IsFilledText(200)
  formId?: string;
  @ApiPropertyOptional({ format: 'uuid' })
  @MayBeAbsent()
  @IsIdText()
  conversationId?: string;
  @ApiPropertyOptional({ format: 'uuid' })
  @MayBeAbsent()
  @IsIdText()
  contactId?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Submissions of then and later' })
  @MayBeAbsent()
  @IsMoment()
  from?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Submissions before then' })
  @MayBeAbsent()
  @IsMoment()
  to?: string;
}

export class SubmissionQuery extends IntersectionType(PageQuery, SubmissionExportQuery) {}
