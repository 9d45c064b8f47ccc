export { isCountryCode } from './phone/country-code';
export { exampleNumberOf } from './phone/example-number';
export { parseNumber, type DialedNumber } from './phone/parse-number';
export { parseRecipient, type Recipient } from './phone/parse-recipient';
export { readTypedNumber } from './phone/typed-number';
export { readDomainName } from './email/domain-name';
export { addressKey, emailDomainOf, readEmailAddress } from './email/email-address';
export { simulatedMailboxOf } from './email/simulated-mailbox';
export { simulatedOutcomeOf } from './phone/simulated-number';
