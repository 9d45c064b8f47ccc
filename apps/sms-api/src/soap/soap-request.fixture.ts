import { parseSmsRequest, SmsRequestError } from './soap-codec';

export const fieldsOf = (inner: string) => parseSmsRequest(`<SmsRequest>${inner}</SmsRequest>`).fields;
export const errorOf = (xml: string | Buffer): SmsRequestError => {
  try {
    parseSmsRequest(xml);
  } catch (error) {
    if (error instanceof SmsRequestError) return error;
    throw error;
  }
  throw new Error(`No error for ${xml.toString().slice(0, 200)}`);
};
