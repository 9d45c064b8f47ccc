export { ACCESS, Public } from './access';
export { Health, type HealthCheck } from './health';
export { createLogger, type Logger } from './logger';
export { METRICS } from './metrics';
export { platformSettings, type PlatformSettings } from './platform.config';
export { describeRefusals, ErrorBody, KEY_REFUSALS, Refusals, TakesKey } from './refusals';
export { readBody, type RequestBody } from './request-body';
export { requestIdOf } from './request-context';
export {
  LOGGER,
  runMigrations,
  runService,
  startService,
  type RunningService,
  type ServiceDefinition,
} from './service';
export { flagSetting, loadSettings, SettingsError } from './settings';
