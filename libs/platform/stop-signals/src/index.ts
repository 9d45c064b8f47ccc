export { stopSignals, type StopSignal, type StopSignals } from './stop-signals';
