/** The payer of an event, found by the customer id of the processor, and the request id of the delivery. */
export interface PayerReference {
  customer: string;
  organizationId: string;
  workspaceId: string;
  correlationId: string | null;
}
