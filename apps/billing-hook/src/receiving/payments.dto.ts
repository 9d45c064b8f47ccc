import type { Integer } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';

/** Confirms that the event is stored, by this request or by an earlier request. */
export class Acknowledgement {
  received: true;
  eventId: string;
}

/** The properties common to all events. The documentation of the processor describes the rest. */
export class PaymentEvent {
  @ApiProperty({ minLength: 1, maxLength: 255 })
  id: string;
  @ApiProperty({ enum: ['event'] })
  object?: string;
  /** @example customer.subscription.updated */
  type: string;
  /** Creation time in Unix seconds. The default is the current time. */
  created?: Integer;
  @ApiProperty({
    type: 'object',
    properties: { object: { type: 'object', additionalProperties: true } },
    required: ['object'],
  })
  data: { object: object };
}
