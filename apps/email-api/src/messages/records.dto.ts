import type { Integer, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';

export const REPORT_STATUSES = ['scheduled', 'sent', 'delivered', 'bounced', 'failed', 'skipped', 'canceled'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];
const EVENT_TYPES = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'];

/** The result for one recipient. */
export class RecipientResult {
  to: string;
  /** False if the recipient was refused or skipped. */
  ok: boolean;
  /** Message-ID of the mail; `null` if no mail has been sent yet. */
  messageId: string | null;
  /**
   * If `ok` is false, the reason why the recipient was refused. If `ok` is true, the reason why the mail is retried in the background.
   * Otherwise `null`.
   */
  error: string | null;
  /** True if the recipient is suppressed or unsubscribed. The mail is neither sent nor charged. */
  skipped: boolean;
}

/** The response to a send request. The property order is the order in the body. */
export class SendResponse {
  ok: boolean;
  id: Uuid;
  status: 'sent' | 'scheduled' | 'skipped';
  from: string;
  recipientCount: Integer;
  sentCount: Integer;
  failedCount: Integer;
  skippedCount: Integer;
  /** @example 2026-11-20T10:12:28.123456 */
  scheduledAt: string | null;
  /** The same value as `id`. */
  messageId: Uuid;
  results: RecipientResult[];
}

export class ReportEvent {
  @ApiProperty({ enum: EVENT_TYPES })
  type: string;
  recipient: string;
  /** URL of the clicked link; `null` for other events. */
  url: string | null;
  /**
   * Reason of a bounce. For an open, `machine` if a program loaded the mail. For a delivery, `relayed` if the mail was passed on to a
   * server that sends no delivery reports. Otherwise `null`.
   */
  reason: string | null;
  /** @example 2026-11-20T10:12:28.123456 */
  occurredAt: string;
}

export class DeliveryReport {
  id: Uuid;
  /** The same value as `id`. */
  messageId: Uuid;
  status: (typeof REPORT_STATUSES)[number];
  from: string;
  /** Addresses of all recipients, separated by a comma and a space. */
  to: string;
  subject: string;
  /** @example 2026-11-20T10:12:28.123456 */
  createdAt: string;
  events: ReportEvent[];
}

export class Balance {
  workspaceId: Uuid;
  creditType: 'email';
  balance: Integer;
}
