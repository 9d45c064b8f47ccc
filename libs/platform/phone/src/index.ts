export { isCountryCode } from './country-code';
export { exampleNumberOf } from './example-number';
export { readNationalNumber } from './national-number';
export { parseNumber, type DialedNumber } from './parse-number';
export { parseRecipient, type Recipient } from './parse-recipient';
