export { HUB_SIGNATURE_HEADER, signHub, verifyHubSignature } from './hub-signature';
export { PROCESSOR_SIGNATURE_HEADER, signProcessorPayload, verifyProcessorSignature } from './processor-signature';
