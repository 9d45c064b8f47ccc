import { ApiProperty } from '@nestjs/swagger';

/** The event is stored, by this or an earlier request. */
export class Acknowledgement {
  @ApiProperty({ enum: [true] })
  received: true;
  @ApiProperty()
  eventId: string;
}

/** The properties common to all events. The documentation of the processor describes the rest. */
export class PaymentEvent {
  @ApiProperty({ minLength: 1, maxLength: 255 })
  id: string;
  @ApiProperty({ enum: ['event'], required: false })
  object?: string;
  @ApiProperty({ example: 'customer.subscription.updated' })
  type: string;
  @ApiProperty({ type: 'integer', required: false, description: 'Unix seconds; the current time if absent' })
  created?: number;
  @ApiProperty({
    type: 'object',
    properties: { object: { type: 'object', additionalProperties: true } },
    required: ['object'],
  })
  data: { object: object };
}
