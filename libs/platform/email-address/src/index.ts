export { readDomainName } from './domain-name';
export { addressKey, emailDomainOf, readEmailAddress } from './email-address';
