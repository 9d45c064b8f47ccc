export { systemMailMigrations } from './migration-set';
export {
  deleteMailContent,
  readMailContent,
  requestMail,
  type MailAttachment,
  type MailContent,
  type MailRequest,
} from './system-mail';
