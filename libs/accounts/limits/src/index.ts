export type { LimitedKind } from './limited-kind';
export { limitsConfig, type LimitsConfig } from './limits.config';
export { OrganizationLimits } from './organization-limits';
export { OrganizationQuota } from './organization-quota';
