export { KeyRing } from './key-ring';
export { reseal } from './reseal';
export { SealedColumn } from './sealed-column';
export {
  hasLocalKey,
  keyRingSetting,
  localKeyRing,
  LOCAL_SECRETS_KEYS,
  secretsConfigSchema,
  type SecretsConfig,
} from './secrets.config';
export { MacSigner } from './mac-signer';
export { selfSignedCertificate, type SelfSigned } from './self-signed-certificate';
export { SignedLinks, type LinkProof } from './signed-links';
export { hashToken, newToken, randomBase62, readBearer } from './tokens';
