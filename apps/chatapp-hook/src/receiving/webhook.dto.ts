import { ApiProperty } from '@nestjs/swagger';

/** Confirms that all updates of the call were committed, by this call or by an earlier call. */
export class Taken {
  ok: true;
}

class Metadata {
  /** @example "15550783881" */
  display_phone_number: string;
  phone_number_id: string;
}

class Updates {
  /** @example chatapp */
  messaging_product: string;
  metadata: Metadata;
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  contacts?: object[];
  /** Inbound messages. The service evaluates `id`, `from`, `timestamp` and `type`, and stores the whole message. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  messages?: object[];
  /** Delivery statuses. The service evaluates `id`, `status`, `timestamp`, `recipient_id` and `errors`. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  statuses?: object[];
}

class Change {
  /**
   * Kind of the change. Changes with any other value are ignored.
   * @example messages
   */
  field: string;
  value: Updates;
}

class Entry {
  id: string;
  changes: Change[];
}

/** The fields of a webhook that this service evaluates. The provider's reference documents the other fields. */
export class Envelope {
  /**
   * Kind of the object. Webhooks with any other value are acknowledged and ignored.
   * @example chatapp_business_account
   */
  object: string;
  entry: Entry[];
}
