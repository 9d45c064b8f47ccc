import type { Integer, Timestamp } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { percentilesOf, type Figures, type Histogram, type Interval } from '@heliograph/analytics';

/** Returns `part / whole` as a number between 0 and 1, and 0 if `whole` is 0. */
function rate(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}

export class V1Latency {
  p50: Integer | null;
  p95: Integer | null;
  p99: Integer | null;
}

export class V1SmsCounts {
  /** Number of accepted messages. */
  accepted: Integer;
  /** Number of messages that a carrier accepted. */
  sent: Integer;
  delivered: Integer;
  failed: Integer;
  /** Number of segments of the accepted messages. */
  segments: Integer;
  /** Credits charged, minus refunds. */
  credits: Integer;
  /** Ratio of delivered to sent messages. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  delivery_rate: number;

  static countsOf(figures: Figures<'sms'>): V1SmsCounts {
    return { ...figures, delivery_rate: rate(figures.delivered, figures.sent) };
  }
}

export class V1SmsFigures extends V1SmsCounts {
  /**
   * Percentiles of the time from the acceptance by the carrier to the delivery, in milliseconds; `null` without deliveries. The values can
   * be up to 19 % too high.
   */
  latency_ms: V1Latency;

  static of(figures: Figures<'sms'>, latencies: Histogram): V1SmsFigures {
    return { ...V1SmsCounts.countsOf(figures), latency_ms: percentilesOf(latencies) };
  }
}

export class V1EmailRates {
  /** Ratio of delivered to sent emails. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  delivery: number;
  /** Ratio of recipients who opened the email to sent emails. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  open: number;
  /** Ratio of recipients who clicked a link to sent emails. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  click: number;
  /** Ratio of bounced to sent emails. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  bounce: number;
  /** Ratio of complaints to sent emails. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  complaint: number;
  /** Ratio of unsubscribes to sent emails. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  unsubscribe: number;
}

export class V1EmailFigures {
  /** Number of recipients that are not suppressed. */
  accepted: Integer;
  /** Number of recipients whose email was accepted by the mail server. */
  sent: Integer;
  delivered: Integer;
  /** Number of opens, including repeated opens. */
  opened: Integer;
  /** Number of recipients who opened the email. Opens by programs are excluded. */
  unique_opens: Integer;
  /** Number of opens by programs, such as scanners and image proxies. */
  machine_opens: Integer;
  /** Number of clicks, including repeated clicks. */
  clicked: Integer;
  /** Number of recipients who clicked a link. */
  unique_clicks: Integer;
  bounced: Integer;
  complained: Integer;
  unsubscribed: Integer;
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
  accepted: Integer;
  sent: Integer;
  delivered: Integer;
  read: Integer;
  failed: Integer;
  /** Number of inbound messages. */
  received: Integer;
  /** Amount charged, minus refunds, in minor units of the currency. */
  credits: Integer;
}

export class V1BotFigures {
  conversations: Integer;
  /** Number of messages of visitors. */
  messages: Integer;
  /** Number of conversations in which the visitor requested a person. */
  handoffs: Integer;
  /** Number of submitted forms. */
  leads: Integer;
}

export class V1CreditMovements {
  charged: Integer;
  refunded: Integer;
  topped_up: Integer;
  /** Credits received by transfers, minus credits transferred to other workspaces. */
  transferred: Integer;
  adjusted: Integer;
}

export class V1CreditFigures {
  sms: V1CreditMovements;
  email: V1CreditMovements;
  chatapp: V1CreditMovements;
}

/** The time range, with which the response to every analytics query begins. */
export class V1AnalyticsRange {
  from: Timestamp;
  until: Timestamp;
  @ApiProperty({ enum: ['hour', 'day', 'month'] })
  interval: Interval;
  /** @example UTC */
  time_zone: string;
}
