import { ApiProperty } from '@nestjs/swagger';
import type { AnswerDecision, Finding } from '@heliograph/bot-search';
import { IsNonBlankText } from '../http/rules';

const KINDS = ['faq', 'knowledge'] as const;
const JUDGEMENTS = ['answer', 'choices', 'none'] as const;
const MAX_MESSAGE_LENGTH = 4_000;

export class PreviewBotRequest {
  @ApiProperty({ example: 'when do you open', maxLength: MAX_MESSAGE_LENGTH })
  @IsNonBlankText(MAX_MESSAGE_LENGTH)
  message: string;
}

export class FindingRecord {
  @ApiProperty({ enum: KINDS })
  kind: (typeof KINDS)[number];
  @ApiProperty({ description: 'Id of the FAQ or article' })
  id: string;
  @ApiProperty()
  title: string;
  @ApiProperty({ description: 'Answer of an FAQ, or the matching passage of an article' })
  text: string;
  @ApiProperty({ type: 'integer', description: 'Zero-based index of the passage in the article' })
  passage: number;
  @ApiProperty({ minimum: 0, maximum: 1 })
  score: number;

  static of({ kind, id, title, text, passage, score }: Finding): FindingRecord {
    return { kind, id, title, text, passage, score };
  }
}

export class JudgementRecord {
  @ApiProperty({
    enum: JUDGEMENTS,
    description:
      '`answer`: one result is clearly the best. `choices`: the visitor chooses from several results. `none`: all results are below the threshold',
  })
  kind: (typeof JUDGEMENTS)[number];
  @ApiProperty({ type: [FindingRecord] })
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
  @ApiProperty()
  judgement: JudgementRecord;
  @ApiProperty({ type: [FindingRecord], description: 'Results sorted by score, best match first' })
  faqs: FindingRecord[];
  @ApiProperty({ type: [FindingRecord], description: 'Results sorted by score, best match first' })
  knowledge: FindingRecord[];
}
