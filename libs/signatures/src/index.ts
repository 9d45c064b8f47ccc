export {
  PROCESSOR_SIGNATURE_HEADER,
  signProcessorPayload,
  verifyProcessorSignature,
  type ProcessorSignatureVerdict,
} from './processor-signature';
