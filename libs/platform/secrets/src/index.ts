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
export { HUB_SIGNATURE_HEADER, signHub, verifyHubSignature } from './webhook-signatures/hub-signature';
export {
  PROCESSOR_SIGNATURE_HEADER,
  signProcessorPayload,
  verifyProcessorSignature,
} from './webhook-signatures/processor-signature';
