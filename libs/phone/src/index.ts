export { isCountryCode } from './country-code';
export { parseRecipient, type Recipient } from './parse-recipient';
