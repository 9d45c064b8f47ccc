export { isCountryCode } from './country-code';
export { exampleNumberOf } from './example-number';
export { parseNumber, type DialedNumber } from './parse-number';
export { parseRecipient, type Recipient } from './parse-recipient';
export { readTypedNumber } from './typed-number';
