import { ApiProperty } from '@nestjs/swagger';
import type { FormFields } from './input-formats';
import { rule } from './rules';

/** The query string of the routes that read or change one message. */
export class MessageIdQuery {
  @ApiProperty({ description: 'The id from the response of the send. Alias: messageId' })
  @rule(
    'isMessageId',
    'Send the id from the response of the send as the query parameter id.',
    (value) => typeof value === 'string' && value !== '',
    'INVALID_REQUEST',
  )
  id: string;
}

/** Resolves the alias of `MessageIdQuery`. */
export function normalizeMessageId(parameters: FormFields): object {
  const values = parameters.get('id') ?? parameters.get('messageId') ?? [];
  return { id: values.length > 1 ? values : values[0] };
}
