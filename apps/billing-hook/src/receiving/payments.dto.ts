import { ApiProperty } from '@nestjs/swagger';

/** The event is stored, by this call or by an earlier one. */
export class Acknowledgement {
  @ApiProperty({ enum: [true] })
  received: true;
  @ApiProperty()
  eventId: string;
}

/** What of an event is looked at, whatever its type. Only its shape: the document of the processor says the rest. */
export class PaymentEvent {
  @ApiProperty({ minLength: 1, maxLength: 255 })
  id: string;
  @ApiProperty({ enum: ['event'], required: false })
  object?: string;
  @ApiProperty({ example: 'customer.subscription.updated' })
  type: string;
  @ApiProperty({ type: 'integer', required: false, description: 'Unix seconds; now, where it is missing' })
  created?: number;
  @ApiProperty({
    type: 'object',
    properties: { object: { type: 'object', additionalProperties: true } },
    required: ['object'],
  })
  data: { object: object };
}
