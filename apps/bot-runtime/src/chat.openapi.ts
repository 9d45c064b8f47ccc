import { applyDecorators } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
  type DocumentBuilder,
} from '@nestjs/swagger';
import { ERROR_STATUS, type AppError, type ErrorCode } from '@heliograph/errors';
import { describeErrors, operationOf } from '@heliograph/service-kit';

const VISITOR = 'conversationToken';

export class FieldProblemRecord {
  @ApiProperty()
  key: string;
  @ApiProperty({ description: 'Explanation of the expected value' })
  message: string;
}

/** The documented error body of the runtime. */
export class ChatRefusal {
  @ApiProperty({ enum: [false] })
  ok: boolean;
  @ApiProperty({ enum: Object.keys(ERROR_STATUS) })
  code: ErrorCode;
  @ApiProperty({ description: 'Explanation of the error and of what to do next' })
  message: string;
  @ApiPropertyOptional({
    type: [FieldProblemRecord],
    description: 'Invalid fields. Only present for `INVALID_SUBMISSION`',
  })
  fields?: FieldProblemRecord[];
}

/** The error body of the runtime. */
export function chatErrorBody({ code, message, details }: AppError): object {
  return { ok: false, code, message, ...details };
}

export function describeVisitors(document: DocumentBuilder): DocumentBuilder {
  return document.addBearerAuth(
    {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'bcs_…',
      description:
        'The `conversationToken` from the response that started the conversation. The samples expect it in the shell variable `CONVERSATION_TOKEN`',
    },
    VISITOR,
  );
}

/** Documents the error responses of an operation. */
export function ChatApiErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  return describeErrors(codes, { type: ChatRefusal });
}

/** Describes a route of the chat API. */
export const ChatOperation = operationOf({
  response: (type, status) => ApiResponse({ status, type }),
  errors: ChatApiErrors,
});

/** Documentation shared by all operations of the chat. */
export function ChatApi(tag: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), ChatApiErrors('INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'));
}

/** Documentation shared by all operations on a conversation, which require its token. */
export function VisitorApi(tag: string): ClassDecorator {
  return applyDecorators(ChatApi(tag), ApiBearerAuth(VISITOR), ChatApiErrors('UNAUTHENTICATED'));
}
