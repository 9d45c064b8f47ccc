import type { Integer, Timestamp, Uuid } from '@heliograph/contracts';
import { BOT_CHANNELS, CONVERSATION_STATUSES } from '@heliograph/bot-conversations';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { rule, v1Timestamp } from '@heliograph/service-kit';
import { IsMessageText, MAX_MESSAGE_LENGTH } from '../messages/message-text';
import type { ConversationState } from '../visitors/conversations.repository';
const MAX_RATING = 5;

const IsRating = () =>
  rule('isRating', `rating must be a whole number from 1 to ${MAX_RATING}.`, isRating, 'INVALID_RATING');

export class FeedbackRequest {
  @ApiProperty({ minimum: 1, maximum: MAX_RATING })
  @IsRating()
  rating: Integer;

  @ApiProperty({ maxLength: MAX_MESSAGE_LENGTH })
  @IsOptional()
  @IsMessageText('INVALID_REQUEST')
  message?: string | null;
}

export class Feedback {
  @ApiProperty({ minimum: 1, maximum: 5 })
  rating: Integer;
  message: string | null;
  /** @example 2026-11-20T10:12:28.123Z */
  createdAt: Timestamp;

  static of({ rating, feedback, feedbackAt }: Pick<ConversationState, 'rating' | 'feedback' | 'feedbackAt'>) {
    if (rating === null || feedbackAt === null) return null;
    return { rating, message: feedback, createdAt: feedbackAt.toISOString() } satisfies Feedback;
  }
}

export class ConversationRecord {
  id: Uuid;
  @ApiProperty({ enum: CONVERSATION_STATUSES })
  status: string;
  @ApiProperty({ enum: BOT_CHANNELS })
  channel: string;
  /** @example 2026-11-20T10:12:28.123Z */
  createdAt: Timestamp;
  /** @example 2026-11-20T10:12:28.123Z */
  updatedAt: Timestamp;
  /** @example 2026-11-20T10:12:28.123Z */
  endedAt: Timestamp | null;
  @ApiProperty({ type: String, enum: ['visitor', 'agent', null] })
  endedBy: string | null;
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
  conversation: ConversationRecord;
}

export class FeedbackResponse {
  feedback: Feedback;
}

function isRating(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_RATING;
}
