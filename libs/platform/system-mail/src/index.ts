export { systemMailMigrations } from './migration-set';
export { deleteMailContent, readMailContent, requestMail, type MailContent } from './system-mail';
export { composeMail, type Mail } from './layout/compose-mail';
export { formatDay, formatPeriod, formatTimestamp } from './layout/format-date';
export { formatCount, formatMoney } from './layout/format-money';
