import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { One, ListOf } from '../http/answers';
import { PageQuery } from '../http/page.query';
import { IsNonBlankText, Optional, IsWellFormedId, IsTimestamp } from '../http/rules';
import type { SubmissionRow } from './submissions.repository';

export class AnswerRecord {
  @ApiProperty({ example: 'email' })
  key: string;
  @ApiProperty({ example: 'Email', description: 'Label of the field at the time of submission' })
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
  @ApiProperty({ description: 'Title of the form at the time of submission' })
  formTitle: string;
  @ApiProperty({ format: 'uuid' })
  conversationId: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  contactId: string | null;
  @ApiProperty({ example: 'received' })
  status: string;
  @ApiProperty({ type: [AnswerRecord], description: 'Answers in the order of the fields in the form' })
  answers: AnswerRecord[];
  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  static of(row: SubmissionRow): SubmissionRecord {
    const { id, botId, formId, formTitle, conversationId, contactId, status, answers, createdAt } = row;
    return {
      id,
      botId,
      formId,
      formTitle,
      conversationId,
      contactId,
      status,
      answers: answers.map(({ key, label, value }) => ({ key, label, value })),
      createdAt: createdAt.toISOString(),
    };
  }
}

export class OneSubmission extends One('submission', SubmissionRecord) {}

export class SubmissionPage extends ListOf('submissions', SubmissionRecord) {}

/** Filters of submissions. */
export class SubmissionExportQuery {
  @ApiPropertyOptional({ example: 'bot_acme_help' })
  @Optional()
  @IsNonBlankText(200)
  botId?: string;
  @ApiPropertyOptional({ example: 'lead' })
  @Optional()
  @IsNonBlankText(200)
  formId?: string;
  @ApiPropertyOptional({ format: 'uuid' })
  @Optional()
  @IsWellFormedId()
  conversationId?: string;
  @ApiPropertyOptional({ format: 'uuid' })
  @Optional()
  @IsWellFormedId()
  contactId?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Returns submissions at or after this time' })
  @Optional()
  @IsTimestamp()
  from?: string;
  @ApiPropertyOptional({ format: 'date-time', description: 'Returns submissions before this time' })
  @Optional()
  @IsTimestamp()
  to?: string;
}

export class SubmissionQuery extends IntersectionType(PageQuery, SubmissionExportQuery) {}
