import { addCarrierRoutes } from './carrier/carrier-control';
import type { CarrierSimulator } from './carrier/carrier-simulator';
import { ControlApi } from './control-api';
import { addMailboxRoutes } from './mailbox/mailbox-control';
import type { MailboxSimulator } from './mailbox/mailbox-simulator';
import { addPaymentsRoutes } from './payments/payments-control';
import type { PaymentsSimulator } from './payments/payments-simulator';
import { addPlatformRoutes } from './platform/platform-control';
import type { PlatformSimulator } from './platform/platform-simulator';

/** The simulators that one control API steers; those left out have no routes. */
export interface Simulators {
  carrier?: CarrierSimulator;
  mailbox?: MailboxSimulator;
  payments?: PaymentsSimulator;
  platform?: PlatformSimulator;
}

export function createControlApi({ carrier, mailbox, payments, platform }: Simulators): ControlApi {
  const api = new ControlApi();
  if (carrier) addCarrierRoutes(api, carrier);
  if (mailbox) addMailboxRoutes(api, mailbox);
  if (payments) addPaymentsRoutes(api, payments);
  if (platform) addPlatformRoutes(api, platform);
  return api;
}
