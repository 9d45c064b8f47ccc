import { ApiProperty } from '@nestjs/swagger';
import type { Finding, Judgement } from '@heliograph/bot-search';
import { IsFilledText } from '../http/rules';

const KINDS = ['faq', 'knowledge'] as const;
const JUDGEMENTS = ['answer', 'choices', 'none'] as const;
const MAX_MESSAGE_LENGTH = 4_000;

export class PreviewBotRequest {
  @ApiProperty({ example: 'when do you open', maxLength: MAX_MESSAGE_LENGTH })
  @IsFilledText(MAX_MESSAGE_LENGTH)
  message: string;
}

export class FindingRecord {
  @ApiProperty({ enum: KINDS })
  kind: (typeof KINDS)[number];
  @ApiProperty({ description: 'Of the FAQ or the article' })
  id: string;
  @ApiProperty()
  title: string;
  @ApiProperty({ description: 'The answer of a FAQ; the passage of an article' })
  text: string;
  @ApiProperty({ type: 'integer', description: 'Which passage of the article, from 0' })
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
    description: 'answer: with the one finding; choices: which of them is meant; none: they are only near',
  })
  kind: (typeof JUDGEMENTS)[number];
  @ApiProperty({ type: [FindingRecord] })
  findings: FindingRecord[];

  static of(judgement: Judgement): JudgementRecord {
    const { kind } = judgement;
    switch (kind) {
      case 'answer':
        return { kind, findings: [FindingRecord.of(judgement.finding)] };
      case 'choices':
        return { kind, findings: judgement.findings.map((finding) => FindingRecord.of(finding)) };
      case 'none':
        return { kind, findings: judgement.near.map((finding) => FindingRecord.of(finding)) };
    }
  }
}

export class BotPreview {
  @ApiProperty()
  judgement: JudgementRecord;
  @ApiProperty({ type: [FindingRecord], description: 'Best first' })
  faqs: FindingRecord[];
  @ApiProperty({ type: [FindingRecord], description: 'Best first' })
  knowledge: FindingRecord[];
}
