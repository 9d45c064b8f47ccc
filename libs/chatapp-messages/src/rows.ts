import type { Category } from '@heliograph/chatapp-catalog';

/** One send to accept; names are those of the schema's `chatapp.acceptance`. */
export interface AcceptanceRow {
  id: string;
  entry_id: string;
  organization_id: string;
  workspace_id: string;
  account_id: string;
  /** Digits after a plus. */
  recipient: string;
  sender: string;
  type: string;
  template_name: string | null;
  category: Category;
  /** What it costs unless an allowance applies, in minor units. */
  price: number;
  currency: string;
  /** Everything that is no template. */
  needs_window: boolean;
  is_free_in_window: boolean;
  /** Free messages of the category in a month; null is any number. */
  monthly_limit: number | null;
  correlation_id: string | null;
  caller_id?: string;
  endpoint?: string;
  idempotency_key?: string;
  fingerprint?: string;
}

export interface AcceptanceResult {
  outcome: 'posted' | 'opted_out' | 'window_closed' | 'insufficient' | 'repeated';
  /** Of what was charged: after it. Of what was 'insufficient': the one that did not suffice. */
  balance: number;
  is_free: boolean;
}

/** What the platform answered to a send; names are those of the schema's `chatapp.answer`. */
export interface AnswerRow {
  id: string;
  /** Of the refund, when there is one. */
  entry_id: string;
  /** Null: the platform has not taken the message, for all that is known. */
  upstream_id: string | null;
  /** As the platform knows the number, digits after a plus. */
  upstream_number: string | null;
  error: string | null;
  error_code: number | null;
  /** There was no answer: a status may still prove that the message went out. */
  is_presumed: boolean;
  caller_id?: string;
  endpoint?: string;
  idempotency_key?: string;
  /** What a repeat gets; null: the key is free again. */
  answer_status?: number | null;
  answer?: object | null;
}

export interface AnswerResult {
  /** The platform's id; there although the answer was none when a status came first. */
  upstream_id: string | null;
}

/** A status update of an outbound message; names are those of the schema's `chatapp.status`. */
export interface StatusRow {
  upstream_id: string;
  /** Our message id, which the platform gives back. */
  callback_id: string | null;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  /** RFC 3339. */
  occurred_at: string;
  error: string | null;
  error_code: number | null;
}

/** An inbound message; names are those of the schema's `chatapp.inbound`. */
export interface InboundRow {
  id: string;
  upstream_id: string;
  phone_number_id: string;
  /** Digits after a plus. */
  sender: string;
  recipient: string;
  type: string;
  /** RFC 3339. */
  occurred_at: string;
  media_id: string | null;
  keyword_status: 'opted_in' | 'opted_out' | null;
  keyword_source: 'keyword_start' | 'keyword_stop' | null;
  /** Without NUL and lone surrogates, which jsonb cannot hold. */
  payload: Record<string, unknown>;
}
