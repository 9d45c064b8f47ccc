import type { ConversationState } from './conversation-state';
import type { AcceptanceRow } from './rows';

/** What an admitted send costs. The property names are those of the type `chatapp.acceptance`. */
export interface SendTerms {
  /** Free without a limit. */
  is_free: boolean;
  /** The first day of the calendar month (UTC) whose allowance may make the send free; null if none does. */
  allowance_month: string | null;
  /** The number as the provider knows it, if it differs: an opt-out under it counts too. */
  upstream_number: string | null;
}

type Policed = Pick<AcceptanceRow, 'needs_window' | 'is_free_in_window' | 'monthly_limit'>;

/**
 * Decides whether a send is allowed, and on which terms. `chatapp.accept` checks again what a concurrent call can change:
 * the opt-out, the rest of the allowance and the balance.
 */
export function termsOf(send: Policed, state: ConversationState): SendTerms | 'opted_out' | 'window_closed' {
  if (state.isOptedOut) return 'opted_out';
  const isOpen = state.openUntil !== null;
  if (send.needs_window && !isOpen) return 'window_closed';
  const hasAllowance = isOpen && send.is_free_in_window;
  const isLimited = send.monthly_limit !== null;
  return {
    is_free: hasAllowance && !isLimited,
    allowance_month: hasAllowance && isLimited ? firstOfMonth(state.readAt) : null,
    upstream_number: state.upstreamNumber,
  };
}

function firstOfMonth(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}
