import { ApiProperty } from '@nestjs/swagger';
import { percentilesOf, type Figures, type Histogram, type Interval } from '@heliograph/analytics-analytics';

/** A share between 0 and 1; 0 of nothing. */
function rate(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}

export class V1Latency {
  @ApiProperty({ type: 'integer', nullable: true } as never)
  p50: number | null;
  @ApiProperty({ type: 'integer', nullable: true } as never)
  p95: number | null;
  @ApiProperty({ type: 'integer', nullable: true } as never)
  p99: number | null;
}

export class V1SmsCounts {
  @ApiProperty({ type: 'integer', description: 'Messages' })
  accepted: number;
  @ApiProperty({ type: 'integer', description: 'Accepted by a carrier' })
  sent: number;
  @ApiProperty({ type: 'integer' })
  delivered: number;
  @ApiProperty({ type: 'integer' })
  failed: number;
  @ApiProperty({ type: 'integer', description: 'Of the accepted messages' })
  segments: number;
  @ApiProperty({ type: 'integer', description: 'Net of refunds' })
  credits: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Delivered of sent' })
  delivery_rate: number;

  static countsOf(figures: Figures<'sms'>): V1SmsCounts {
    return { ...figures, delivery_rate: rate(figures.delivered, figures.sent) };
  }
}

export class V1SmsFigures extends V1SmsCounts {
  @ApiProperty({
    type: V1Latency,
    description: 'From the acceptance by the carrier to the delivery; null without deliveries. At most 19 % too high',
  })
  latency_ms: V1Latency;

  static of(figures: Figures<'sms'>, latencies: Histogram): V1SmsFigures {
    return { ...V1SmsCounts.countsOf(figures), latency_ms: percentilesOf(latencies) };
  }
}

export class V1EmailRates {
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Delivered of sent' })
  delivery: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Unique opens of sent' })
  open: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Unique clicks of sent' })
  click: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Bounced of sent' })
  bounce: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Complained of sent' })
  complaint: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Unsubscribed of sent' })
  unsubscribe: number;
}

export class V1EmailFigures {
  @ApiProperty({ type: 'integer', description: 'Recipients, without suppressed ones' })
  accepted: number;
  @ApiProperty({ type: 'integer', description: 'Recipients whose email the mail server accepted' })
  sent: number;
  @ApiProperty({ type: 'integer' })
  delivered: number;
  @ApiProperty({ type: 'integer', description: 'All open events' })
  opened: number;
  @ApiProperty({ type: 'integer', description: 'Recipients with an open that is not by a machine' })
  unique_opens: number;
  @ApiProperty({ type: 'integer', description: 'Open events of machines' })
  machine_opens: number;
  @ApiProperty({ type: 'integer', description: 'All click events' })
  clicked: number;
  @ApiProperty({ type: 'integer', description: 'Recipients with a click' })
  unique_clicks: number;
  @ApiProperty({ type: 'integer' })
  bounced: number;
  @ApiProperty({ type: 'integer' })
  complained: number;
  @ApiProperty({ type: 'integer' })
  unsubscribed: number;
  @ApiProperty({ type: V1EmailRates })
  rates: V1EmailRates;

  static of(figures: Figures<'email'>): V1EmailFigures {
    const { sent, delivered, unique_opens, unique_clicks, bounced, complained, unsubscribed } = figures;
    return {
      ...figures,
      rates: {
        ...{ delivery: rate(delivered, sent), open: rate(unique_opens, sent), click: rate(unique_clicks, sent) },
        ...{ bounce: rate(bounced, sent), complaint: rate(complained, sent), unsubscribe: rate(unsubscribed, sent) },
      },
    };
  }
}

export class V1ChatappFigures {
  @ApiProperty({ type: 'integer' })
  accepted: number;
  @ApiProperty({ type: 'integer' })
  sent: number;
  @ApiProperty({ type: 'integer' })
  delivered: number;
  @ApiProperty({ type: 'integer' })
  read: number;
  @ApiProperty({ type: 'integer' })
  failed: number;
  @ApiProperty({ type: 'integer', description: 'Messages of customers' })
  received: number;
  @ApiProperty({ type: 'integer', description: 'Net of refunds, in minor units' })
  credits: number;
}

export class V1BotFigures {
  @ApiProperty({ type: 'integer' })
  conversations: number;
  @ApiProperty({ type: 'integer', description: 'Messages of visitors' })
  messages: number;
  @ApiProperty({ type: 'integer', description: 'Conversations for which a person was requested' })
  handoffs: number;
  @ApiProperty({ type: 'integer', description: 'Submitted forms' })
  leads: number;
}

export class V1CreditMovements {
  @ApiProperty({ type: 'integer' })
  charged: number;
  @ApiProperty({ type: 'integer' })
  refunded: number;
  @ApiProperty({ type: 'integer' })
  topped_up: number;
  @ApiProperty({ type: 'integer', description: 'Received minus given' })
  transferred: number;
  @ApiProperty({ type: 'integer' })
  adjusted: number;
}

export class V1CreditFigures {
  @ApiProperty({ type: V1CreditMovements })
  sms: V1CreditMovements;
  @ApiProperty({ type: V1CreditMovements })
  email: V1CreditMovements;
  @ApiProperty({ type: V1CreditMovements })
  chatapp: V1CreditMovements;
}

/** The answer to every analytics query begins with its range. */
export class V1AnalyticsRange {
  @ApiProperty({ format: 'date-time' })
  from: string;
  @ApiProperty({ format: 'date-time' })
  until: string;
  @ApiProperty({ enum: ['hour', 'day', 'month'] })
  interval: Interval;
  @ApiProperty({ example: 'UTC' })
  time_zone: string;
}
