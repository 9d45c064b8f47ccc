import { ApiProperty } from '@nestjs/swagger';

/** Confirms that all updates of the call were committed, by this call or by an earlier call. */
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
    description:
      'Inbound messages. The service evaluates `id`, `from`, `timestamp` and `type`, and stores the whole message',
  })
  messages?: object[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    required: false,
    description: 'Delivery statuses. The service evaluates `id`, `status`, `timestamp`, `recipient_id` and `errors`',
  })
  statuses?: object[];
}

class Change {
  @ApiProperty({ example: 'messages', description: 'Kind of the change. Changes with any other value are ignored' })
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

/** The fields of a webhook that this service evaluates. The provider's reference documents the other fields. */
export class Envelope {
  @ApiProperty({
    example: 'chatapp_business_account',
    description: 'Kind of the object. Webhooks with any other value are acknowledged and ignored',
  })
  object: string;
  @ApiProperty({ type: [Entry] })
  entry: Entry[];
}
