import { BOT_CHANNELS, CONVERSATION_STATUSES } from '@heliograph/bot-conversations';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { rule, v1Timestamp } from '@heliograph/service-kit';
import { IsMessageText, MAX_MESSAGE_LENGTH } from '../messages/message-text';
import type { ConversationState } from '../visitors/conversations.repository';

const TIMESTAMP = { type: String, format: 'date-time', example: '2026-11-20T10:12:28.123Z' } as const;
const MAX_RATING = 5;

const IsRating = () =>
  rule('isRating', `rating must be a whole number from 1 to ${MAX_RATING}.`, isRating, 'INVALID_RATING');

export class FeedbackRequest {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_RATING })
  @IsRating()
  rating: number;

  @ApiPropertyOptional({ type: String, maxLength: MAX_MESSAGE_LENGTH, nullable: true })
  @IsOptional()
  @IsMessageText('INVALID_REQUEST')
  message?: string | null;
}

export class Feedback {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 5 })
  rating: number;
  @ApiProperty({ type: String, nullable: true })
  message: string | null;
  @ApiProperty(TIMESTAMP)
  createdAt: string;

  static of({ rating, feedback, feedbackAt }: Pick<ConversationState, 'rating' | 'feedback' | 'feedbackAt'>) {
    if (rating === null || feedbackAt === null) return null;
    return { rating, message: feedback, createdAt: feedbackAt.toISOString() } satisfies Feedback;
  }
}

export class ConversationRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ enum: CONVERSATION_STATUSES })
  status: string;
  @ApiProperty({ enum: BOT_CHANNELS })
  channel: string;
  @ApiProperty(TIMESTAMP)
  createdAt: string;
  @ApiProperty(TIMESTAMP)
  updatedAt: string;
  @ApiProperty({ ...TIMESTAMP, nullable: true })
  endedAt: string | null;
  @ApiProperty({ type: String, enum: ['visitor', 'agent', null], nullable: true })
  endedBy: string | null;
  @ApiProperty({ type: Feedback, nullable: true })
  feedback: Feedback | null;

  static of(conversation: Omit<ConversationState, 'botPublicId' | 'state'>): ConversationRecord {
    const { id, status, channel, createdAt, updatedAt, endedAt, endedBy } = conversation;
    return {
      id,
      status,
      channel,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      endedAt: v1Timestamp(endedAt),
      endedBy,
      feedback: Feedback.of(conversation),
    };
  }
}

export class ConversationResponse {
  @ApiProperty({ type: ConversationRecord })
  conversation: ConversationRecord;
}

export class FeedbackResponse {
  @ApiProperty({ type: Feedback })
  feedback: Feedback;
}

function isRating(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_RATING;
}
