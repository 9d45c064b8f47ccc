import type { Integer } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { AnswerDecision, Finding } from '@heliograph/bot-search';
import { IsNonBlankText } from '../../http/rules';
const MAX_MESSAGE_LENGTH = 4_000;

export class PreviewBotRequest {
  /** @example when do you open */
  @ApiProperty({ maxLength: MAX_MESSAGE_LENGTH })
  @IsNonBlankText(MAX_MESSAGE_LENGTH)
  message: string;
}

export class FindingRecord {
  kind: 'faq' | 'knowledge';
  /** Id of the FAQ or article. */
  id: string;
  title: string;
  /** Answer of an FAQ, or the matching passage of an article. */
  text: string;
  /** Zero-based index of the passage in the article. */
  passage: Integer;
  @ApiProperty({ minimum: 0, maximum: 1 })
  score: number;

  static of({ kind, id, title, text, passage, score }: Finding): FindingRecord {
    return { kind, id, title, text, passage, score };
  }
}

export class JudgementRecord {
  /**
   * `answer`: one result is clearly the best. `choices`: the visitor chooses from several results. `none`: all results are below the
   * threshold.
   */
  kind: 'answer' | 'choices' | 'none';
  findings: FindingRecord[];

  static of(decision: AnswerDecision): JudgementRecord {
    const { kind } = decision;
    switch (kind) {
      case 'answer':
        return { kind, findings: [FindingRecord.of(decision.finding)] };
      case 'choices':
        return { kind, findings: decision.findings.map((finding) => FindingRecord.of(finding)) };
      case 'none':
        return { kind, findings: decision.near.map((finding) => FindingRecord.of(finding)) };
    }
  }
}

export class BotPreview {
  judgement: JudgementRecord;
  /** Results sorted by score, best match first. */
  faqs: FindingRecord[];
  /** Results sorted by score, best match first. */
  knowledge: FindingRecord[];
}
