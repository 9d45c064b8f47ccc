import { ApiProperty } from '@nestjs/swagger';

/** All that the call brought is committed, by this call or by an earlier one. */
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
    description: 'Of each `id`, `from`, `timestamp`, `type`; stored whole',
  })
  messages?: object[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    required: false,
    description: 'Of each `id`, `status`, `timestamp`, `recipient_id`, `errors`',
  })
  statuses?: object[];
}

class Change {
  @ApiProperty({ example: 'messages', description: 'Any other is ignored' })
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

/** Only what is looked at: the document of the platform says the rest. */
export class Envelope {
  @ApiProperty({ example: 'chatapp_business_account', description: 'Any other is acknowledged, and nothing is done' })
  object: string;
  @ApiProperty({ type: [Entry] })
  entry: Entry[];
}
