import { ApiProperty } from '@nestjs/swagger';

/** All updates of the call are committed, by this call or by an earlier one. */
export class Taken {
  @ApiProperty({ enum: [true] })
  ok: true;
}

class Metadata {
  @ApiProperty({ example: '15550783881' })
  display_phone_number: string;
  @ApiProperty()
  phone_number_id: string;
}

class Updates {
  @ApiProperty({ example: 'chatapp' })
  messaging_product: string;
  @ApiProperty()
  metadata: Metadata;
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true }, required: false })
  contacts?: object[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    required: false,
    description: '`id`, `from`, `timestamp` and `type` are evaluated; the message is stored whole',
  })
  messages?: object[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    required: false,
    description: '`id`, `status`, `timestamp`, `recipient_id` and `errors` are evaluated',
  })
  statuses?: object[];
}

class Change {
  @ApiProperty({ example: 'messages', description: 'Any other value is ignored' })
  field: string;
  @ApiProperty()
  value: Updates;
}

class Entry {
  @ApiProperty()
  id: string;
  @ApiProperty({ type: [Change] })
  changes: Change[];
}

/** Contains only the evaluated fields; the provider's reference documents the others. */
export class Envelope {
  @ApiProperty({ example: 'chatapp_business_account', description: 'Any other value is acknowledged and ignored' })
  object: string;
  @ApiProperty({ type: [Entry] })
  entry: Entry[];
}
