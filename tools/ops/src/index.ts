export { opsMigrationConfigSchema, SERVICES } from './migrate';
