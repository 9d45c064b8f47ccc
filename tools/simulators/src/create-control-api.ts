import { addCarrierRoutes } from './carrier/carrier-control';
import type { CarrierSimulator } from './carrier/carrier-simulator';
import { ControlApi } from './control-api';

/** The simulators that one control API steers; those left out have no routes. */
export interface Simulators {
  carrier?: CarrierSimulator;
}

export function createControlApi({ carrier }: Simulators): ControlApi {
  const api = new ControlApi();
  if (carrier) addCarrierRoutes(api, carrier);
  return api;
}
