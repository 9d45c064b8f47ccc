export type { CarrierBehaviour, CarrierBehaviourInput } from './carrier/behaviour';
export { addCarrierRoutes } from './carrier/carrier-control';
export { CarrierSimulator, type CarrierSimulatorOptions, type CarrierTotals } from './carrier/carrier-simulator';
export type { CarrierMessage } from './carrier/inbox';
export {
  ControlApi,
  ControlError,
  ControlPage,
  type ControlHandler,
  type ControlMethod,
  type ControlRequest,
} from './control-api';
export { createControlApi, type Simulators } from './create-control-api';
