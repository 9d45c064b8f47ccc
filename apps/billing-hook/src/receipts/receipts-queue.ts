/** Paid invoices that wait for their receipt. */
export const RECEIPTS_QUEUE = 'billing-hook.receipts';
