import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { One, ListOf } from '../../http/answers';
import { PageQuery } from '../../http/page.query';
import { IsNonBlankText, Optional, IsWellFormedId, IsTimestamp } from '../../http/rules';
import type { SubmissionRow } from './submissions.repository';

export class AnswerRecord {
  /** @example email */
  key: string;
  /**
   * Label of the field at the time of submission.
   * @example Email
   */
  label: string;
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }] })
  value: string | number;
}

export class SubmissionRecord {
  id: Uuid;
  /** @example bot_acme_help */
  botId: string;
  /** @example lead */
  formId: string;
  /** Title of the form at the time of submission. */
  formTitle: string;
  conversationId: Uuid;
  contactId: Uuid | null;
  /** @example received */
  status: string;
  /** Answers in the order of the fields in the form. */
  answers: AnswerRecord[];
  createdAt: Timestamp;

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
  /** @example bot_acme_help */
  @Optional()
  @IsNonBlankText(200)
  botId?: string;
  /** @example lead */
  @Optional()
  @IsNonBlankText(200)
  formId?: string;
  @Optional()
  @IsWellFormedId()
  conversationId?: Uuid;
  @Optional()
  @IsWellFormedId()
  contactId?: Uuid;
  /** Returns submissions at or after this time. */
  @Optional()
  @IsTimestamp()
  from?: Timestamp;
  /** Returns submissions before this time. */
  @Optional()
  @IsTimestamp()
  to?: Timestamp;
}

export class SubmissionQuery extends IntersectionType(PageQuery, SubmissionExportQuery) {}
