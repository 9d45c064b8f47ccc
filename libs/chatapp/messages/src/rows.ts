import type { Category } from '@heliograph/chatapp-catalog';

/**
 * One send to accept. The properties have the names of those of the type `chatapp.acceptance`. The commit decides from `price` to
 * `monthly_limit` whether the message may be sent and what it costs.
 */
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
  /** The price unless an allowance applies, in minor units. */
  price: number;
  currency: string;
  /** Every message that is not a template. */
  needs_window: boolean;
  is_free_in_window: boolean;
  /** Free messages of the category per month; null is unlimited. */
  monthly_limit: number | null;
  correlation_id: string | null;
  key_id: string | null;
  /** The IP address of the caller. */
  client_address: string | null;
  caller_id?: string;
  endpoint?: string;
  idempotency_key?: string;
  fingerprint?: string;
}

export interface AcceptanceResult {
  outcome: 'posted' | 'opted_out' | 'window_closed' | 'insufficient' | 'repeated';
  /** The balance after the charge; for 'insufficient', the balance that was too low. */
  balance: number;
  is_free: boolean;
}

/** The provider's answer to a send. The property names are those of the type `chatapp.answer`. */
export interface AnswerRow {
  id: string;
  /** Id of the refund, if there is one. */
  entry_id: string;
  /** Null if the provider has not accepted the message, as far as known. */
  upstream_id: string | null;
  /** The number in the notation of the provider, digits after a plus. */
  upstream_number: string | null;
  error: string | null;
  error_code: number | null;
  /** The provider did not respond; a status may still prove that the message was sent. */
  is_presumed: boolean;
  caller_id?: string;
  endpoint?: string;
  idempotency_key?: string;
  /** The stored response for repeated calls; null releases the key. */
  answer_status?: number | null;
  answer?: object | null;
}

export interface AnswerResult {
  /** The provider's id; also set if there was no response but a status arrived first. */
  upstream_id: string | null;
}

/** A status update of an outbound message. The property names are those of the type `chatapp.status`. */
export interface StatusRow {
  upstream_id: string;
  /** The id that this system assigned to the message; the provider returns it in statuses. */
  callback_id: string | null;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  /** RFC 3339. */
  occurred_at: string;
  error: string | null;
  error_code: number | null;
}

/** An inbound message. The property names are those of the type `chatapp.inbound`. */
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
  /** The text that contains the keyword. */
  keyword_text: string | null;
  /** Without NUL and lone surrogates, which jsonb rejects. */
  payload: Record<string, unknown>;
}
