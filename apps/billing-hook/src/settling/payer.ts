/** Who an event is about, as found by the processor's customer, and the call that brought it. */
export interface PaidFor {
  customer: string;
  organizationId: string;
  workspaceId: string;
  correlationId: string | null;
}
