import { addCarrierRoutes } from './carrier/carrier-control';
import type { CarrierSimulator } from './carrier/carrier-simulator';
import { ControlApi } from './control-api';
import { addMailboxRoutes } from './mailbox/mailbox-control';
import type { MailboxSimulator } from './mailbox/mailbox-simulator';
import { addPaymentsRoutes } from './payments/payments-control';
import type { PaymentsSimulator } from './payments/payments-simulator';
import { addProviderRoutes } from './provider/provider-control';
import { addWebhookInboxRoutes } from './webhook-inbox/webhook-inbox-control';
import type { WebhookInbox } from './webhook-inbox/webhook-inbox';
import type { ProviderSimulator } from './provider/provider-simulator';

/** The simulators of a control API; omitted ones have no routes. */
export interface Simulators {
  carrier?: CarrierSimulator;
  mailbox?: MailboxSimulator;
  payments?: PaymentsSimulator;
  provider?: ProviderSimulator;
  webhookInbox?: WebhookInbox;
}

export function createControlApi({ carrier, mailbox, payments, provider, webhookInbox }: Simulators): ControlApi {
  const api = new ControlApi();
  if (carrier) addCarrierRoutes(api, carrier);
  if (mailbox) addMailboxRoutes(api, mailbox);
  if (payments) addPaymentsRoutes(api, payments);
  if (provider) addProviderRoutes(api, provider);
  if (webhookInbox) addWebhookInboxRoutes(api, webhookInbox);
  return api;
}
