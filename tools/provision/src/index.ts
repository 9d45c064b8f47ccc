export { loadSecretKeys, provision } from './provision';
export { ProvisioningError } from './provisioning-error';
export { isLocalStack } from './target.config';
export { readProvisioningFile } from './read-provisioning-file';
export { emptyReport, showGenerated, type ProvisioningReport } from './report';
export type { ProvisioningFile } from './schema/provisioning-file';
