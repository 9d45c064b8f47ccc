export interface PaymentEventInput {
  /** Such as `invoice.payment_failed`. */
  type: string;
  /** The object of the event. */
  object: Readonly<Record<string, unknown>>;
  /** Default: a new id. */
  id?: string;
  /** Unix seconds. Default: now. */
  created?: number;
}
