/** Queue of paid invoices without a receipt. */
export const RECEIPTS_QUEUE = 'billing-hook.receipts';
