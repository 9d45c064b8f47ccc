import { ApiProperty } from '@nestjs/swagger';
import { Aliases, namesByField } from '../fields/field-names';
import { otherFields, type FormFields } from './input-formats';
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
  @Aliases('messageId')
  id: string;
}

const NAMES = namesByField(MessageIdQuery).id;

/** Resolves the alias of `MessageIdQuery`. */
export function normalizeMessageId(parameters: FormFields): object {
  const values = NAMES.map((name) => parameters.get(name)).find((sent) => sent !== undefined) ?? [];
  return { ...otherFields(parameters, NAMES), id: values.length > 1 ? values : values[0] };
}
