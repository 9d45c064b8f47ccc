import { ApiProperty } from '@nestjs/swagger';
import { percentilesOf, type Figures, type Histogram, type Interval } from '@heliograph/analytics-analytics';

/** Returns `part / whole` as a number between 0 and 1, and 0 if `whole` is 0. */
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
  @ApiProperty({ type: 'integer', description: 'Number of accepted messages' })
  accepted: number;
  @ApiProperty({ type: 'integer', description: 'Number of messages that a carrier accepted' })
  sent: number;
  @ApiProperty({ type: 'integer' })
  delivered: number;
  @ApiProperty({ type: 'integer' })
  failed: number;
  @ApiProperty({ type: 'integer', description: 'Number of segments of the accepted messages' })
  segments: number;
  @ApiProperty({ type: 'integer', description: 'Credits charged, minus refunds' })
  credits: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Ratio of delivered to sent messages' })
  delivery_rate: number;

  static countsOf(figures: Figures<'sms'>): V1SmsCounts {
    return { ...figures, delivery_rate: rate(figures.delivered, figures.sent) };
  }
}

export class V1SmsFigures extends V1SmsCounts {
  @ApiProperty({
    type: V1Latency,
    description:
      'Percentiles of the time from the acceptance by the carrier to the delivery, in milliseconds; `null` without deliveries. The values can be up to 19 % too high',
  })
  latency_ms: V1Latency;

  static of(figures: Figures<'sms'>, latencies: Histogram): V1SmsFigures {
    return { ...V1SmsCounts.countsOf(figures), latency_ms: percentilesOf(latencies) };
  }
}

export class V1EmailRates {
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Ratio of delivered to sent emails' })
  delivery: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Ratio of recipients who opened the email to sent emails' })
  open: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Ratio of recipients who clicked a link to sent emails' })
  click: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Ratio of bounced to sent emails' })
  bounce: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Ratio of complaints to sent emails' })
  complaint: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Ratio of unsubscribes to sent emails' })
  unsubscribe: number;
}

export class V1EmailFigures {
  @ApiProperty({ type: 'integer', description: 'Number of recipients that are not suppressed' })
  accepted: number;
  @ApiProperty({ type: 'integer', description: 'Number of recipients whose email was accepted by the mail server' })
  sent: number;
  @ApiProperty({ type: 'integer' })
  delivered: number;
  @ApiProperty({ type: 'integer', description: 'Number of opens, including repeated opens' })
  opened: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of recipients who opened the email. Opens by programs are excluded',
  })
  unique_opens: number;
  @ApiProperty({ type: 'integer', description: 'Number of opens by programs, such as scanners and image proxies' })
  machine_opens: number;
  @ApiProperty({ type: 'integer', description: 'Number of clicks, including repeated clicks' })
  clicked: number;
  @ApiProperty({ type: 'integer', description: 'Number of recipients who clicked a link' })
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
        delivery: rate(delivered, sent),
        open: rate(unique_opens, sent),
        click: rate(unique_clicks, sent),
        bounce: rate(bounced, sent),
        complaint: rate(complained, sent),
        unsubscribe: rate(unsubscribed, sent),
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
  @ApiProperty({ type: 'integer', description: 'Number of inbound messages' })
  received: number;
  @ApiProperty({ type: 'integer', description: 'Amount charged, minus refunds, in minor units of the currency' })
  credits: number;
}

export class V1BotFigures {
  @ApiProperty({ type: 'integer' })
  conversations: number;
  @ApiProperty({ type: 'integer', description: 'Number of messages of visitors' })
  messages: number;
  @ApiProperty({ type: 'integer', description: 'Number of conversations in which the visitor requested a person' })
  handoffs: number;
  @ApiProperty({ type: 'integer', description: 'Number of submitted forms' })
  leads: number;
}

export class V1CreditMovements {
  @ApiProperty({ type: 'integer' })
  charged: number;
  @ApiProperty({ type: 'integer' })
  refunded: number;
  @ApiProperty({ type: 'integer' })
  topped_up: number;
  @ApiProperty({
    type: 'integer',
    description: 'Credits received by transfers, minus credits transferred to other workspaces',
  })
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

/** The time range, with which the response to every analytics query begins. */
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
