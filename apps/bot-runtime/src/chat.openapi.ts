import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiProperty, ApiPropertyOptional, ApiTags, type DocumentBuilder } from '@nestjs/swagger';
import { ERROR_STATUS, type AppError, type ErrorCode } from '@heliograph/errors';
import { describeRefusals } from '@heliograph/platform';

const VISITOR = 'conversationToken';

export class FieldProblemRecord {
  @ApiProperty()
  key: string;
  @ApiProperty({ description: 'What to enter' })
  message: string;
}

/** The error body of the runtime, as it is documented. */
export class ChatRefusal {
  @ApiProperty({ enum: [false] })
  ok: boolean;
  @ApiProperty({ enum: Object.keys(ERROR_STATUS) })
  code: ErrorCode;
  @ApiProperty({ description: 'What to do next' })
  message: string;
  @ApiPropertyOptional({ type: [FieldProblemRecord], description: 'Of INVALID_SUBMISSION' })
  fields?: FieldProblemRecord[];
}

/** The error body of the runtime. */
export function chatErrorBody({ code, message, details }: AppError): object {
  return { ok: false, code, message, ...details };
}

export function describeVisitors(document: DocumentBuilder): DocumentBuilder {
  return document.addBearerAuth(
    { type: 'http', scheme: 'bearer', bearerFormat: 'bcs_…', description: 'The conversationToken of a start' },
    VISITOR,
  );
}

/** Documents the error answers of an operation. */
export function ChatRefusals(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return describeRefusals(codes, { type: ChatRefusal });
}

/** What all calls of the chat have in common. */
export function ChatApi(tag: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), ChatRefusals('INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'));
}

/** What all calls on a conversation have in common: its token. */
export function VisitorApi(tag: string): ClassDecorator {
  return applyDecorators(ChatApi(tag), ApiBearerAuth(VISITOR), ChatRefusals('UNAUTHENTICATED'));
}
