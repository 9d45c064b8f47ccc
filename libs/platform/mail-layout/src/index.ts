export { composeMail, type Mail } from './compose-mail';
export { formatDay, formatPeriod, formatTimestamp } from './format-date';
export { formatCount, formatMoney } from './format-money';
export { plainText } from './plain-text';
