export { systemMailMigrations } from './migration-set';
export { deleteMailContent, readMailContent, requestMail, type MailContent } from './system-mail';
