export { applyFile } from './main';
export { loadSecretKeys, provision } from './provision';
export { ProvisioningError } from './provisioning-error';
export { isLocalStack, targetConfigSchema } from './target.config';
export { readProvisioningFile } from './read-provisioning-file';
export { emptyReport, showGenerated, type ProvisioningReport } from './report';
export { findTarget, type Target } from './target.config';
export type { ProvisioningFile } from './schema/provisioning-file';
