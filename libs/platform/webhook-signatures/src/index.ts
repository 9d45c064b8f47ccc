export { HUB_SIGNATURE_HEADER, signHub, verifyHubSignature, type HubSignatureVerdict } from './hub-signature';
export {
  PROCESSOR_SIGNATURE_HEADER,
  signProcessorPayload,
  verifyProcessorSignature,
  type ProcessorSignatureVerdict,
} from './processor-signature';
